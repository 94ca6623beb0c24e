import type { TextDelta, ThinkingDelta, ToolCallDelta } from '../event.ts'
import type { AdapterEvent } from './accumulator.ts'

type Delta = TextDelta | ThinkingDelta | ToolCallDelta

/** Maximum characters of a joined delta. A server's own may be longer. */
const maxJoined = 4_096

/** Joins neighbouring deltas of one block. Usage between them does not separate them: it is invisible, and only the last counts. */
export function joinDeltas(events: readonly AdapterEvent[]): readonly AdapterEvent[] {
  const joined: AdapterEvent[] = []
  let last = 0
  for (const event of events) {
    const before = joined[last]
    if (before !== undefined && isDelta(before) && isDelta(event) && canJoin(before, event)) {
      joined[last] = { type: before.type, id: before.id, delta: before.delta + event.delta }
    } else {
      if (event.type !== 'usage') last = joined.length
      joined.push(event)
    }
  }
  return joined
}

function isDelta(event: AdapterEvent): event is Delta {
  return 'delta' in event
}

function canJoin(before: Delta, { type, id, delta }: Delta): boolean {
  return before.type === type && before.id === id && before.delta.length + delta.length <= maxJoined
}
