import type { Clock } from '../clock.ts'
import type { Store } from './store.ts'

/** Interval in ms at which the spinner and elapsed times are redrawn. */
const tickEvery = 160

/** Calls `look`, and redraws the spinner and elapsed times, until the signal fires, unless the screen was just drawn for another reason. */
export async function tickUntil(
  signal: AbortSignal,
  { store, clock, look }: { readonly store: Store; readonly clock: Clock; readonly look?: () => void },
): Promise<void> {
  for (;;) {
    try {
      await clock.sleep(tickEvery, signal)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    look?.()
    store.tick(clock.monotonic())
  }
}
