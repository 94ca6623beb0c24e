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
  readonly job: JobControl
  /** Ends the run from outside. */
  readonly signal: AbortSignal
  readonly isForeground: () => boolean
}

/** Milliseconds between two looks for the foreground, and for which a run in the background waits for it. */
const pollMs = 20
const backgroundMs = 1_000

/**
 * Leaves the terminal to the shell, without the live rows, until the process goes on in the foreground; then draws them anew, unless
 * the run ended meanwhile. `isStopped`: the shell stopped the process unheard, and has woken it.
 */
export async function suspend(options: SuspensionOptions, isStopped: boolean): Promise<void> {
  const { store, terminal, job, signal } = options
  const isOver = () => signal.aborted || store.screen.isOver
  if (store.screen.isAway || isOver()) return
  store.dispatch({ type: 'away', isAway: true })
  terminal.restore()
  if (!isStopped) job.stop()
  await foreground(options, isOver)
  if (isOver()) return
  // A stop that went unheard, and the shell after it, may have left the settings as they should not be.
  terminal.take()
  store.dispatch({ type: 'away', isAway: false })
}

/** A shell wakes a job to end it, too. One that is neither ended nor brought back stops again, as whatever needs its terminal does. */
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
