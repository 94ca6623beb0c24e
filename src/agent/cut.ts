import type { Message } from '../message.ts'
import { estimateMessages } from './tokens.ts'

/**
 * Where a context is cut: the index of the first message that stays. What stays comes to at most `keep` tokens, but the results that
 * the model has not seen stay with their calls whatever their size, and no call is separated from its result. Before a message of a
 * person where that keeps at least half as much. 0 where nothing can be cut off.
 */
export function cutPoint(context: readonly Message[], keep: number): number {
  const borders = bordersOf(context)
  const within = borders.filter(({ tokens }, i) => i === 0 || tokens <= keep)
  const furthest = within.at(-1)
  if (furthest === undefined) return 0
  const person = within.findLast(({ at }) => context[at]?.type === 'user')
  return person !== undefined && person.tokens * 2 >= Math.min(keep, furthest.tokens)
    ? person.at
    : furthest.at
}

interface Border {
  readonly at: number
  /** Of all messages from here on. */
  readonly tokens: number
}

/** Where a context may be cut, the last place first. */
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
