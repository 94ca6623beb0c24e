import type { Clock } from '../clock.ts'
import type { Store } from './store.ts'

/** How often the time of what runs is shown anew, in milliseconds. */
const tickEvery = 1_000

/** Shows the time of what runs, until the signal fires. */
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
