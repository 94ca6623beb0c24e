import { type Clock, withinLimit } from '../../../clock.ts'
import { PipeError, untilAborted } from '../../../error.ts'

/** Milliseconds to wait for an answer. */
export const limitMs = 3_000

/** Resolves with what is asked, or with `undefined` if it takes too long. */
export async function answerInTime<Result>(
  ask: (signal: AbortSignal) => Promise<Result>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const late = new PipeError('timeout', 'there is no answer')
  try {
    return await withinLimit({ clock, ms: limitMs, signal, late: () => late }, (until) =>
      untilAborted(ask(until), until),
    )
  } catch (error) {
    if (error !== late) throw error
    return undefined
  }
}
