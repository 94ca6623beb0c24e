import type { Clock } from '../clock.ts'

/** Milliseconds to wait for the end of connections. */
const farewellMs = 1_000

/** Waits until connections have ended, but no longer than a server that answers would take. */
export async function unlessSilent(ending: Promise<void> | undefined, clock: Clock): Promise<void> {
  const waiting = new AbortController()
  const limit = clock.sleep(farewellMs, waiting.signal).catch(() => undefined)
  await Promise.race([ending, limit])
  waiting.abort()
}
