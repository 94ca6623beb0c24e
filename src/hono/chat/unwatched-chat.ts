import { ownAgent } from '../../actor.ts'
import type { Answer, AnswerQuestion } from '../../conversation.ts'
import { PipeError, untilAborted } from '../../error.ts'
import type { Interaction } from '../../interaction.ts'
import { nobodyToAsk } from '../../permission.ts'

export interface Unwatched {
  /** Whether somebody sees the questions now. */
  readonly isWatched: () => boolean
  /** Refuses what nobody sees, or ends the turn with `permission`. */
  readonly onAsk: 'deny' | 'stop'
}

/** Leaves each question to those who watch at that moment. Without any, answers it at once with no. */
export function answerUnwatched({ isWatched, onAsk }: Unwatched): AnswerQuestion {
  return (question, { signal }) => {
    if (isWatched()) return untilAborted(new Promise<never>(() => {}), signal)
    if (onAsk === 'deny') return refusalOf(question)
    const { title, description = '' } = question.display
    throw new PipeError('permission', `${title} ${description}; nobody can be asked`.trim(), {
      details: { reason: description },
    })
  }
}

function refusalOf({ purpose, options = [] }: Interaction): Answer {
  const no = purpose === 'confirm_risky_action' ? options.find(({ isDefault }) => isDefault) : undefined
  if (no === undefined) return { answeredBy: ownAgent, cancelled: true }
  return { answeredBy: ownAgent, selectedOptionId: no.id, comment: nobodyToAsk }
}
