import type { Message } from '../../message.ts'
import { estimateMessages } from './token-estimate.ts'

/**
 * Returns the index of the first message to keep; 0 if nothing can be cut. Keeps at most `keep` tokens, but always unseen results
 * and their calls. Never separates a call from its result. Prefers a cut before a user message that keeps at least half as much.
 */
export function cutPoint(context: readonly Message[], keep: number): number {
  const borders = bordersOf(context)
  const within = borders.filter(({ tokens }, i) => i === 0 || tokens <= keep)
  const furthest = within.at(-1)
  if (furthest === undefined) return 0
  const user = within.findLast(({ at }) => context[at]?.type === 'user')
  return user !== undefined && user.tokens * 2 >= Math.min(keep, furthest.tokens) ? user.at : furthest.at
}

interface Border {
  readonly at: number
  /** Tokens of all messages from here on. */
  readonly tokens: number
}

/** Returns the possible cuts of a context, the last one first. */
function bordersOf(context: readonly Message[]): readonly Border[] {
  const borders: Border[] = []
  const newest = context.findLast(({ type }) => type !== 'user')
  let whole = newest?.type !== 'tool_result'
  let tokens = 0
  for (let at = context.length - 1; at > 0; at--) {
    const message = context[at]
    if (message === undefined) continue
    tokens += estimateMessages([message])
    if (message.type !== 'user') whole = message.type === 'assistant'
    if (whole) borders.push({ at, tokens })
  }
  return borders
}
