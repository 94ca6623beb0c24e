import type { TextDelta, ThinkingDelta, ToolCallDelta } from '../event.ts'
import type { AdapterEvent } from './accumulator.ts'

type Delta = TextDelta | ThinkingDelta | ToolCallDelta

/** Maximum characters of a joined delta. A server's own may be longer. */
const maxJoined = 4_096

/** Joins neighbouring deltas of one block. Usage between them does not separate them: it is invisible, and only the last counts. */
export function joinDeltas(events: readonly AdapterEvent[]): readonly AdapterEvent[] {
  const joined: AdapterEvent[] = []
  let run: Run | undefined
  for (const event of events) {
    if (run !== undefined && isDelta(event) && canJoin(run, event)) {
      run.pieces.push(event.delta)
      run.length += event.delta.length
      continue
    }
    if (event.type !== 'usage') {
      end(run, joined)
      run = isDelta(event)
        ? { first: event, at: joined.length, pieces: [event.delta], length: event.delta.length }
        : undefined
    }
    joined.push(event)
  }
  end(run, joined)
  return joined
}

/** Deltas to join. */
interface Run {
  readonly first: Delta
  /** The place of the first among the joined events. */
  readonly at: number
  readonly pieces: string[]
  length: number
}

/** Joins the pieces at once: a text that grew piece by piece would keep all of them. */
function end(run: Run | undefined, joined: AdapterEvent[]): void {
  if (run === undefined || run.pieces.length === 1) return
  joined[run.at] = { type: run.first.type, id: run.first.id, delta: run.pieces.join('') }
}

function isDelta(event: AdapterEvent): event is Delta {
  return 'delta' in event
}

function canJoin({ first, length }: Run, { type, id, delta }: Delta): boolean {
  return first.type === type && first.id === id && length + delta.length <= maxJoined
}
