import type { Clock } from '../../clock.ts'

/** Called between two steps of long work. Throws `aborted`. */
export type Pause = () => Promise<void>

/** How long work may block the event loop. */
const stretchMs = 20

/** Yields to the event loop if it was blocked for a while, so that the signal can fire. */
export function createPause(clock: Clock, signal: AbortSignal): Pause {
  let since = clock.monotonic()
  return async () => {
    if (clock.monotonic() - since < stretchMs) return
    await clock.sleep(0, signal)
    since = clock.monotonic()
  }
}
