import { type ErrorCode, isPipeError, PipeError } from '../../../error.ts'

/** Turns whatever a foreign part threw into a PipeError. Returns a PipeError unchanged. */
export function failureOf(error: unknown, code: ErrorCode, part: string): PipeError {
  return isPipeError(error)
    ? error
    : new PipeError(code, `${part} failed: ${reasonOf(error)}`, { cause: error })
}

/** Describes anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
