import { describe, expect, it } from 'vitest'
import type { AgentEvent, AgentFact, StreamEvent } from '../../../src/event.ts'
import { TurnReader } from '../../../src/hono/chat/turn-reader.ts'
import { countingIds } from '../../support/messages/ids.ts'

const agentId = countingIds().agent()
let seq = 0
const told = (event: StreamEvent | AgentFact): AgentEvent => ({ agentId, seq: ++seq, ...event })
const says = (delta: string) => told({ type: 'text_delta', id: 'b', delta })
const round = () => told({ type: 'round_start', round: 1, provider: 'm', model: 'm' })
const retry = () => told({ type: 'retry', attempt: 1, reason: 'it broke off', waitMs: 0, discarded: ['b'] })

/** Reads batches of events, and returns the text of each. */
function read(batches: readonly (readonly AgentEvent[])[], isStreamed = true): readonly string[] {
  const reader = new TurnReader({ tellsEvents: false, isStreamed })
  return batches.map((batch) =>
    [...reader.read(batch)].map((part) => (part.type === 'text' ? part.text : '')).join(''),
  )
}

describe('the text of a turn, when a reply is asked for again', () => {
  it('leaves out what was not told of the broken reply', () => {
    expect(read([[round(), says('Half'), retry(), says('All.')]])).toEqual(['All.'])
    expect(
      read([
        [round(), says('First.')],
        [round(), says('Half'), retry(), says('All.')],
      ]),
    ).toEqual(['First.', '\n\nAll.'])
  })

  it('ends with an error after a part of it was told in a stream', () => {
    expect(() =>
      read([
        [round(), says('Half')],
        [retry(), says('All.')],
      ]),
    ).toThrow('it broke off')
    expect(
      read(
        [
          [round(), says('Half')],
          [retry(), says('All.')],
        ],
        false,
      ),
    ).toEqual(['Half', '\n\nAll.'])
  })
})
