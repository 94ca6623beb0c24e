import { type ErrorCode, errorText, isPipeError, PipeError } from '../../../error.ts'

/** Turns whatever a foreign part threw into a PipeError. Returns a PipeError unchanged. */
export function foreignFailure(error: unknown, code: ErrorCode, part: string): PipeError {
  return isPipeError(error)
    ? error
    : new PipeError(code, `${part} failed: ${errorText(error)}`, { cause: error })
}
