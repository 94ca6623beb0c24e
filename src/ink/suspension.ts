import type { Clock } from '../clock.ts'
import type { Store } from './store.ts'
import type { Terminal } from './terminal.ts'

/** The shell's job control of this process. */
export interface JobControl {
  /** Stops the process and those it shares its job with. Returns when it goes on; at once where there is no shell to stop for. */
  stop(): void
  close(): void
}

export interface JobHandlers {
  /** The process is asked to stop, which `stop` then does. */
  readonly onStop: () => void
  /** It goes on after a stop that nobody asked it for. */
  readonly onContinue: () => void
}

export interface SuspensionOptions {
  readonly store: Store
  readonly terminal: Terminal
  readonly clock: Clock
  /** Ends the run from outside. */
  readonly signal: AbortSignal
}

/**
 * Leaves the terminal to the shell, without the live rows, while `stop` runs (absent: it was stopped already), then takes it back,
 * and draws them anew, unless the run was ended meanwhile.
 */
export async function suspend(
  { store, terminal, clock, signal }: SuspensionOptions,
  stop?: () => void,
): Promise<void> {
  const isOver = () => signal.aborted || store.screen.isOver
  if (store.screen.isAway) return
  store.dispatch({ type: 'away', isAway: true })
  if (isOver()) {
    // Woken to end: it is the shell's already.
    if (stop === undefined) terminal.yield()
    return
  }
  terminal.restore()
  try {
    if (stop !== undefined) {
      stop()
      // A shell wakes a stopped job to end it as well. Taking its terminal from the background stops it again, unheard.
      await clock.sleep(1, new AbortController().signal)
    }
  } finally {
    if (!isOver()) {
      terminal.take()
      store.dispatch({ type: 'away', isAway: false })
    }
  }
}
