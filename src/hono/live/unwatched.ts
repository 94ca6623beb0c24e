import type { AnswerQuestion } from '../../conversation.ts'
import { PipeError, untilAborted } from '../../error.ts'

/** Handles the questions of a session that nobody watches; leaves all others to those who watch. `undefined`: all wait for somebody. */
export function settleUnwatched(
  onUnwatched: 'ask' | 'deny' | 'stop',
  isWatched: () => boolean,
): AnswerQuestion | undefined {
  if (onUnwatched === 'ask') return undefined
  return ({ display }, { signal }) => {
    if (isWatched()) return untilAborted(new Promise<never>(() => {}), signal)
    if (onUnwatched === 'deny') return { cancelled: true }
    throw new PipeError('permission', `nobody is watching this session who could be asked: ${display.title}`)
  }
}
