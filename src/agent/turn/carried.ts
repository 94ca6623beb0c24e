import { type ContentBlock, contextLength, isMark, type Message, textContent } from '../../message.ts'
import { excerpt } from '../compaction/excerpt.ts'
import { bytesPerToken, estimateContent } from '../compaction/token-estimate.ts'

/** Maximum share of the room for each. */
const maxShare = 1 / 8
/** Tokens that each may use regardless of the room. */
const minTokens = 500

/**
 * Returns the environment of the first message that has one, as one block at most. It stays next to the summary because it holds
 * instruction files. `room` is in tokens.
 */
export function carriedEnvironment(older: readonly Message[], room: number): readonly ContentBlock[] {
  const first = older.find((message) => contextLength(message) > 0)
  return first === undefined ? [] : fitted(first.content.slice(0, 1), room)
}

/** Returns the current request word for word, if none of the kept messages holds it. */
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
  const tokens = Math.max(minTokens, room * maxShare)
  if (estimateContent(content) <= tokens) return content
  return [{ type: 'text', text: excerpt(textContent({ content }), tokens * bytesPerToken) }]
}
