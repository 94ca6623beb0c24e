import { type ContentBlock, contextLength, type Message, textContent } from '../message.ts'
import { excerpt } from './excerpt.ts'
import { isMark } from './mark.ts'
import { bytesPerToken, estimateContent } from './tokens.ts'

/** The share of the room that either may take. */
const share = 1 / 8
/** Tokens that either may take of any room. */
const least = 500

/**
 * Where a conversation takes place, as its first message said; gone on with beside the summary of that message, because files of
 * instructions belong to it. At most a block. `room` is in tokens.
 */
export function carriedEnvironment(older: readonly Message[], room: number): readonly ContentBlock[] {
  const first = older.find((message) => contextLength(message) > 0)
  return first === undefined ? [] : fitted(first.content.slice(0, 1), room)
}

/** The request that is being worked on, word for word, where the person said it before everything that stays. */
export function carriedRequest(
  older: readonly Message[],
  kept: readonly Message[],
  room: number,
): readonly ContentBlock[] {
  if (kept.some(({ type }) => type === 'user')) return []
  const asked = older.findLast(({ type }) => type === 'user')
  if (asked === undefined) return []
  const context = contextLength(asked)
  if (isMark(asked)) return asked.content.slice(context + 1)
  const said = fitted(asked.content.slice(Math.min(context, 1)), room)
  return [{ type: 'text', text: 'The request that is being worked on, word for word:' }, ...said]
}

function fitted(content: readonly ContentBlock[], room: number): readonly ContentBlock[] {
  const tokens = Math.max(least, room * share)
  if (estimateContent(content) <= tokens) return content
  return [{ type: 'text', text: excerpt(textContent({ content }), tokens * bytesPerToken) }]
}
