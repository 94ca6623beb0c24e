import { isPipeError, PipeError } from '../error.ts'

/** The first place where a replay differs from its record: what is recorded there, and what came instead. */
export interface Divergence {
  readonly expected: string
  readonly came: string
}

const reason = 'diverged'

/** Creates the error that ends a replay. */
export function diverged({ expected, came }: Divergence): PipeError {
  return new PipeError('check', `the replay differs from the record: ${came} instead of ${expected}`, {
    details: { reason, expected, came },
  })
}

/** Reads the divergence from an error; `undefined` for other errors. */
export function divergenceOf(error: unknown): Divergence | undefined {
  if (!isPipeError(error) || error.details['reason'] !== reason) return undefined
  const { expected = '', came = '' } = error.details
  return { expected, came }
}

const ending = 'record_ends'

/** Creates the error that ends a turn where the recorded one was cut short. */
export function recordEnds(): PipeError {
  return new PipeError('aborted', 'the recorded turn ends here', { details: { reason: ending } })
}

export function isRecordEnd(error: unknown): boolean {
  return isPipeError(error) && error.details['reason'] === ending
}
