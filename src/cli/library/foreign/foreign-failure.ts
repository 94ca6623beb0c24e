import { type ErrorCode, isPipeError, PipeError } from '../../../error.ts'

/** Turns whatever a foreign part threw into a PipeError. Returns a PipeError unchanged. */
export function foreignFailure(error: unknown, code: ErrorCode, part: string): PipeError {
  return isPipeError(error)
    ? error
    : new PipeError(code, `${part} failed: ${thrownReason(error)}`, { cause: error })
}

/** Describes anything that was thrown. */
export function thrownReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
