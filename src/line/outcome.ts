import type { Ending } from '../conversation.ts'
import { exitCodes, isPipeError, PipeError } from '../error.ts'
import { type EndingSignal, signalExitCodes } from '../frontend/ending-signal.ts'

/** The end of a run, for scripts. */
export interface Outcome {
  readonly exitCode: number
  readonly error?: PipeError
}

/** Judges a turn. Any error gives an exit code other than 0. */
export function judgeTurn(ending: Ending, cause: EndingSignal | undefined): Outcome {
  if (cause !== undefined) return ended(cause)
  const error = faultOf(ending) ?? lossOf(ending)
  return error === undefined ? { exitCode: 0 } : { exitCode: exitCodes[error.code], error }
}

/** Returns why a turn did not end well. What could not be saved is told when that happens. */
export function faultOf(ending: Ending): PipeError | undefined {
  return ending.error ?? complaint(ending)
}

/** Judges a run that could not start or that crashed. */
export function judgeFailure(error: unknown, cause: EndingSignal | undefined): Outcome {
  if (!isPipeError(error)) {
    const fault = new PipeError('internal', `this is a bug in pipe: ${String(error)}`, {
      cause: error,
    })
    return { exitCode: exitCodes.internal, error: fault }
  }
  return cause === undefined ? { exitCode: exitCodes[error.code], error } : ended(cause)
}

/** Returns the error for a run that answered but could not be saved. */
function lossOf({ unsaved }: Ending): PipeError | undefined {
  if (unsaved === undefined) return undefined
  const { message, details } = unsaved.error
  const told =
    unsaved.part === 'conversation'
      ? `the end of the conversation could not be saved: ${message}`
      : `the end of the audit log could not be saved: ${message}; the conversation is saved`
  return new PipeError('storage', told, { details })
}

function ended(cause: EndingSignal): Outcome {
  return { exitCode: signalExitCodes[cause], error: new PipeError('aborted', `ended by ${cause}`) }
}

function complaint({ stopReason }: Ending): PipeError | undefined {
  switch (stopReason) {
    case 'refusal':
      return new PipeError('refused', 'the model refused to answer')
    case 'length':
      return new PipeError('length', 'the answer was cut at the length limit; --max-output-tokens raises it')
    case 'aborted':
      return new PipeError('aborted', 'interrupted')
    case 'error':
      return new PipeError('protocol', 'the model reported an error and gave no reason')
    default:
      return undefined
  }
}
