import { isPipeError, PipeError } from '../error.ts'

const advice = 'too many files are open; raise the limit, for example with: ulimit -n 1024'

/** Adds advice to an error about too many open files. Returns any other error unchanged. */
export function explainDescriptors(error: PipeError): PipeError
export function explainDescriptors(error: unknown): unknown
export function explainDescriptors(error: unknown): unknown {
  if (!lacksDescriptors(error)) return error
  if (!isPipeError(error)) return new PipeError('internal', advice, { cause: error })
  const told = error.message.includes('ulimit -n')
  return told
    ? error
    : new PipeError(error.code, `${error.message}; ${advice}`, { cause: error, details: error.details })
}

/** Whether an error means too many open files. Node reports the code in a field, or only in its own message. */
function lacksDescriptors(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return (
    code === 'EMFILE' ||
    code === 'ENFILE' ||
    /\bE[MN]FILE\b/.test(error.message) ||
    lacksDescriptors(error.cause)
  )
}
