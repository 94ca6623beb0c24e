import type { AdapterEvent } from './accumulator.ts'
import type { TextDelta, ThinkingDelta, ToolCallDelta } from './event.ts'

type Delta = TextDelta | ThinkingDelta | ToolCallDelta

/** Maximum characters of a joined delta. A server's own may be longer. */
export const longestJoined = 4_096

/** Joins neighbouring deltas of one block. Usage between them does not part them, as it is invisible and only the last counts. */
export function joinDeltas(events: readonly AdapterEvent[]): readonly AdapterEvent[] {
  const joined: AdapterEvent[] = []
  let last = 0
  for (const event of events) {
    const before = joined[last]
    if (before !== undefined && isDelta(before) && isDelta(event) && fit(before, event)) {
      joined[last] = { ...before, delta: before.delta + event.delta }
      continue
    }
    if (event.type !== 'usage') last = joined.length
    joined.push(event)
  }
  return joined
}

function isDelta(event: AdapterEvent): event is Delta {
  return 'delta' in event
}

function fit(before: Delta, delta: Delta): boolean {
  const isOneBlock = before.type === delta.type && before.id === delta.id
  return isOneBlock && before.delta.length + delta.delta.length <= longestJoined
}
