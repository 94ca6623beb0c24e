import type { Clock } from '../clock.ts'
import type { Store } from './store.ts'

/** Interval in ms at which the spinner and elapsed times are redrawn. */
const tickEvery = 160

/** Redraws the spinner and elapsed times until the signal fires, unless the screen was just drawn for another reason. */
export async function tickUntil(
  signal: AbortSignal,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): Promise<void> {
  for (;;) {
    try {
      await clock.sleep(tickEvery, signal)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    store.tick(clock.monotonic())
  }
}
