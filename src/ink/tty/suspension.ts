import type { Clock } from '../../clock.ts'
import type { Store } from '../store.ts'
import type { Terminal } from './terminal.ts'

/** Job control of this process by the shell. */
export interface JobControl {
  /** Stops the process and the others of its job. Returns when it continues, or at once if no shell controls it. */
  stop(): void
  close(): void
}

export interface JobHandlers {
  /** Called when the process is asked to stop; `stop` then stops it. */
  readonly onStop: () => void
  /** Called when the process continues after a stop that came without warning. */
  readonly onContinue: () => void
}

export interface SuspensionOptions {
  readonly store: Store
  readonly terminal: Terminal
  readonly clock: Clock
  readonly job: JobControl
  /** Ends the run. */
  readonly signal: AbortSignal
  readonly isForeground: () => boolean
}

/** Interval in ms at which the foreground is polled, and time in ms after which a run in the background stops again. */
const pollMs = 20
const backgroundMs = 1_000

/**
 * Erases the live rows and hands the terminal to the shell until the process continues in the foreground; then redraws them, unless
 * the run ended meanwhile. `isStopped` means that the shell stopped the process unnoticed and has already continued it.
 */
export async function suspend(options: SuspensionOptions, isStopped: boolean): Promise<void> {
  const { store, terminal, job, signal } = options
  const isOver = () => signal.aborted || store.screen.isOver
  if (store.screen.isAway || isOver()) return
  store.dispatch({ type: 'away', isAway: true })
  store.show()
  terminal.restore()
  if (!isStopped) job.stop()
  await foreground(options, isOver)
  if (isOver()) return
  // After an unnoticed stop the terminal settings may be wrong, because of the stop or the shell.
  terminal.take()
  store.dispatch({ type: 'away', isAway: false })
}

export interface LendingOptions extends Pick<SuspensionOptions, 'store' | 'terminal' | 'signal'> {
  /** Uses the terminal, such as by running an editor on it. */
  readonly use: () => Promise<void>
}

/** Erases the live rows and lends the terminal until its user is done; then redraws them, unless the run ended meanwhile. */
export async function lend({ store, terminal, signal, use }: LendingOptions): Promise<void> {
  if (store.screen.isAway || signal.aborted || store.screen.isOver) return
  store.dispatch({ type: 'away', isAway: true })
  store.show()
  terminal.restore()
  terminal.hold()
  try {
    await use()
  } finally {
    terminal.release()
    if (!signal.aborted && !store.screen.isOver) {
      terminal.take()
      store.dispatch({ type: 'away', isAway: false })
    }
  }
}

/** Waits for the foreground. A shell also continues a job to end it; a job that does not end stops again, as for terminal access. */
async function foreground(
  { clock, job, isForeground }: SuspensionOptions,
  isOver: () => boolean,
): Promise<void> {
  let until = clock.monotonic() + backgroundMs
  do {
    await clock.sleep(pollMs, new AbortController().signal)
    if (!isOver() && !isForeground() && clock.monotonic() >= until) {
      job.stop()
      until = clock.monotonic() + backgroundMs
    }
  } while (!isOver() && !isForeground())
}
