import type { Clock } from '../clock.ts'
import { type EndingSignal, signalExitCodes } from '../frontend/ending-signal.ts'
import type { JobControl, JobHandlers } from '../ink/tty/suspension.ts'
import { ShutdownReason } from '../machine/shutdown-reason.ts'

export interface Interruption {
  readonly signal: AbortSignal
  /** The first signal. */
  readonly cause: EndingSignal | undefined
  /** Ends the run as the signal would. */
  raise(cause: EndingSignal): void
  /** Runs this on an external SIGINT instead of ending the run, until the returned function is called. */
  divert(onInterrupt: () => void): () => void
  /** Runs this on each signal after the first. */
  again(action: () => void): void
  close(): void
}

/** Milliseconds that a run has to end once its terminal is gone. The watchdog later ends processes that ignore TERM. */
const hangupMs = 1_800

/**
 * Turns process signals into an abort, so that the run saves and ends. A second one from the keyboard ends the process at once. `ignored`
 * signals have no effect.
 */
export function watchSignals({
  clock,
  ignored,
}: {
  readonly clock: Clock
  readonly ignored: readonly string[]
}): Interruption {
  const controller = new AbortController()
  let cause: EndingSignal | undefined
  let stopLeaving: (() => void) | undefined
  let diverted: (() => void) | undefined
  let again: (() => void) | undefined
  const raise = (name: EndingSignal) => {
    if (cause !== undefined && (name === 'SIGINT' || name === 'SIGQUIT')) process.exit(signalExitCodes[name])
    if (cause !== undefined) again?.()
    cause ??= name
    if (name === 'SIGHUP') stopLeaving ??= clock.after(hangupMs, () => process.exit(signalExitCodes.SIGHUP))
    // Ctrl+C stops what runs. The others end the process, and open questions wait for the next run.
    controller.abort(name === 'SIGINT' || name === 'SIGQUIT' ? new Error(name) : new ShutdownReason(name))
  }
  const receive = (name: EndingSignal) => {
    if (name === 'SIGINT' && cause === undefined && diverted !== undefined) diverted()
    else raise(name)
  }
  const watched = (['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const).map(
    // Node resets an ignored signal to its default, which ends the process. An empty listener keeps it alive.
    (name) => [name, ignored.includes(name) ? () => undefined : () => receive(name)] as const,
  )
  for (const [name, listener] of watched) process.on(name, listener)
  return {
    signal: controller.signal,
    get cause() {
      return cause
    },
    raise,
    divert: (onInterrupt) => {
      diverted = onInterrupt
      return () => {
        diverted = undefined
      }
    },
    again: (action) => {
      again = action
    },
    close: () => {
      stopLeaving?.()
      for (const [name, listener] of watched) process.off(name, listener)
    },
  }
}

/** Watches for job control by the shell, for a program that has set up the terminal. */
export function watchJob({ onStop, onContinue }: JobHandlers): JobControl {
  const watch = () => {
    process.on('SIGTSTP', onStop)
    process.on('SIGCONT', onContinue)
  }
  const close = () => {
    process.off('SIGTSTP', onStop)
    process.off('SIGCONT', onContinue)
  }
  watch()
  return {
    stop: () => {
      // Without a listener, the signal stops the process, unless no shell could continue it.
      close()
      try {
        process.kill(0, 'SIGTSTP')
      } finally {
        watch()
      }
    },
    close,
  }
}

/** Calls back when the window of the terminal may have changed. Returns a function that ends it. */
export function watchWindow(onChange: () => void): () => void {
  process.on('SIGWINCH', onChange)
  return () => void process.off('SIGWINCH', onChange)
}
