import { asked, isPermission, type Question } from './question.ts'
import type { Screen } from './state.ts'

/** For so many milliseconds after a question is first drawn, or something was written, keys are still those of the prompt. */
export const answerPause = 500

/** The question that keys answer now: nobody can have meant one that they had not seen, or while they wrote something else. */
export function answerable({ questions: [question], typedAt }: Screen, now: number): Question | undefined {
  const since = Math.max(question?.shownAt ?? Number.POSITIVE_INFINITY, typedAt ?? Number.NEGATIVE_INFINITY)
  return now - since >= answerPause ? question : undefined
}

/** Whether Enter may end an answer that came too soon: what was written since the question was first drawn is no message then. */
export function isHasty({ questions: [question], typedAt }: Screen): boolean {
  return question?.shownAt !== undefined && typedAt !== undefined && typedAt >= question.shownAt
}

/**
 * Whether Enter may have been meant for a draft that stands while a turn asks, and so answers nothing before something else
 * was chosen or written; to choose is not enough where something is to be allowed, as the arrows may have been meant for the draft
 * too. Before a turn the question is about what stands in the prompt: that was sent.
 */
export function isDraftInTheWay({ prompt, busySince }: Screen, question: Question): boolean {
  const isChosen = question.marked !== undefined && !isPermission(asked(question))
  return busySince !== undefined && prompt.text !== '' && !isChosen && (question.words?.text ?? '') === ''
}
