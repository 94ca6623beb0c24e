import {
  type ContentBlock,
  contextLength,
  instructionsIn,
  isMark,
  type Message,
  textContent,
} from '../../message.ts'
import { excerpt } from '../compaction/excerpt.ts'
import { bytesPerToken, estimateContent } from '../compaction/token-estimate.ts'

/** Maximum share of the room for each. */
const maxShare = 1 / 8
/** Tokens that each may use regardless of the room. */
const minTokens = 500

/**
 * Returns the environment of the first message that has one, and the instructions that came with results, as one block at most. It stays
 * next to the summary because it holds instruction files. `room` is in tokens.
 */
export function carriedEnvironment(older: readonly Message[], room: number): readonly ContentBlock[] {
  const first = fitted(withEnvironment(older)?.content.slice(0, 1) ?? [], room)
  const later = fitted(
    older.flatMap((message) => instructionsIn(message)?.block ?? []),
    room,
  )
  if (later.length === 0) return first
  return [{ type: 'text', text: `${textContent({ content: first })}${textContent({ content: later })}` }]
}

function withEnvironment(older: readonly Message[]): Message | undefined {
  return older.find((message) => contextLength(message) > 0)
}

/** Returns the current request word for word with what is attached to it, if none of the kept messages holds it. */
export function carriedRequest(
  older: readonly Message[],
  kept: readonly Message[],
  room: number,
): readonly ContentBlock[] {
  if (kept.some(({ type }) => type === 'user')) return []
  const asked = older.findLast(({ type }) => type === 'user')
  if (asked === undefined) return []
  if (isMark(asked)) return asked.content.slice(contextLength(asked) + 1)
  const said = fitted(asked.content.slice(asked === withEnvironment(older) ? 1 : 0), room)
  return [{ type: 'text', text: 'The request that is being worked on, word for word:' }, ...said]
}

function fitted(content: readonly ContentBlock[], room: number): readonly ContentBlock[] {
  const tokens = Math.max(minTokens, room * maxShare)
  if (estimateContent(content) <= tokens) return content
  return [{ type: 'text', text: excerpt(textContent({ content }), tokens * bytesPerToken) }]
}
