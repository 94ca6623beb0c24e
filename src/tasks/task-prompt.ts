import type { Message, UserMessage } from '../message.ts'
import { hasToolCalls, textContent } from '../message.ts'
import type { TaskView } from '../task.ts'
import { formatReference } from '../wire/reference.ts'
import takeover from './takeover.md'

/** Characters of a summary. */
const summaryLength = 2_000

/** Composes what a worker tells the model: the task at first, later that another worker goes on. */
export function composeTaskPrompt(
  { intent, artifactRefs = [] }: TaskView,
  history: readonly Message[],
  compose: (text: string) => UserMessage,
): UserMessage {
  if (history.length > 0) return compose(takeover.trim())
  const refs = artifactRefs.map(formatReference).filter((ref) => !intent.includes(`@${ref}`))
  return compose(refs.length === 0 ? intent : `${intent}\n\nThis is about ${refs.join(', ')}.`)
}

/** Whether a conversation has nothing left to do: its last message is a reply that ended by itself, without calls. */
export function isFinished(history: readonly Message[]): boolean {
  const last = history.at(-1)
  return last?.type === 'assistant' && last.stopReason === 'end_turn' && !hasToolCalls(last)
}

/** Returns the last text of the model, cut; `undefined` if there is none. */
export function lastWords(history: readonly Message[]): string | undefined {
  const last = history.findLast(({ type }) => type === 'assistant')
  const text = last === undefined ? '' : textContent(last).trim()
  if (text === '') return undefined
  const letters = Array.from(text.slice(0, 2 * summaryLength))
  return letters.length <= summaryLength ? text : `${letters.slice(0, summaryLength - 1).join('')}…`
}
