import { type Message, textContent } from '../../message.ts'
import type { Entry, Screen } from '../state.ts'
import type { EndedCall } from '../transcript/call.ts'

/** The last parts of the conversation, whole, for views of them. Oldest first. */
export interface Recent {
  readonly calls: readonly EndedCall[]
  readonly thoughts: readonly string[]
  /** Replies of the model, as it wrote them. */
  readonly answers: readonly string[]
}

export const nothingRecent: Recent = { calls: [], thoughts: [], answers: [] }

/** Most calls, thoughts and answers that are kept. */
const keptCalls = 100
const keptThoughts = 20
const keptAnswers = 20

/** Keeps entries that became final. A header begins another conversation. */
export function keepEntries(recent: Recent, entries: readonly Entry[]): Recent {
  const begun = entries.findLastIndex(({ type }) => type === 'header')
  const own = entries.slice(begun + 1)
  const before = begun < 0 ? recent : { ...recent, calls: [], thoughts: [] }
  const calls = own.flatMap(callsOf)
  const thoughts = own.flatMap((entry) =>
    entry.type === 'thinking' && entry.text !== undefined ? [entry.text] : [],
  )
  if (begun < 0 && calls.length === 0 && thoughts.length === 0) return recent
  return {
    ...before,
    calls: [...before.calls, ...calls].slice(-keptCalls),
    thoughts: [...before.thoughts, ...thoughts].slice(-keptThoughts),
  }
}

/** Returns the last calls, also those that are not part of the transcript yet. */
export function endedCalls({ recent, looks }: Pick<Screen, 'recent' | 'looks'>): readonly EndedCall[] {
  return [...recent.calls, ...looks]
}

function callsOf(entry: Entry): readonly EndedCall[] {
  if (entry.type === 'reads') return entry.calls
  return entry.type === 'tool' ? [entry] : []
}

/** Keeps a reply of the model. One without text, such as calls alone, is none. */
export function keepAnswer(recent: Recent, text: string): Recent {
  return text.trim() === '' ? recent : { ...recent, answers: [...recent.answers, text].slice(-keptAnswers) }
}

/** Returns the last replies of a conversation. */
export function answersOf(messages: readonly Message[]): readonly string[] {
  const replies = messages.flatMap((message) => (message.type === 'assistant' ? [textContent(message)] : []))
  return replies.filter((text) => text.trim() !== '').slice(-keptAnswers)
}
