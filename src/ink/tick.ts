import type { Clock } from '../clock.ts'
import type { Store } from './store.ts'

/** Interval in ms at which elapsed times are redrawn. */
const tickEvery = 1_000

/** Redraws elapsed times until the signal fires. */
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
    store.dispatch({ type: 'tick', now: clock.monotonic() })
  }
}
