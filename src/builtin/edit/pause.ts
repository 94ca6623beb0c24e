import type { Clock } from '../../clock.ts'

/** Stands between two steps of long work. Throws `aborted`. */
export type Pause = () => Promise<void>

/** How long work may keep all else waiting. */
const stretchMs = 20

/** Gives all else a turn where it has had none for a while, so that the signal can fire. */
export function createPause(clock: Clock, signal: AbortSignal): Pause {
  let since = clock.monotonic()
  return async () => {
    if (clock.monotonic() - since < stretchMs) return
    await clock.sleep(0, signal)
    since = clock.monotonic()
  }
}
