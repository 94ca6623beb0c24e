import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AdapterEvent } from '../../src/reply/accumulator.ts'
import { joinDeltas } from '../../src/reply/join-deltas.ts'

const said = (delta: string, id = 'b1'): AdapterEvent => ({ type: 'text_delta', id, delta })
const thought = (delta: string, id = 't1'): AdapterEvent => ({ type: 'thinking_delta', id, delta })
const argument = (delta: string, id = 'c1'): AdapterEvent => ({ type: 'tool_call_delta', id, delta })
const used = (outputTokens: number): AdapterEvent => ({
  type: 'usage',
  usage: { inputTokens: 1, outputTokens },
})

describe('neighbouring deltas', () => {
  it.each([
    ['text', said],
    ['thinking', thought],
    ['arguments', argument],
  ])('of one block become one: %s', (_, delta) => {
    expect(joinDeltas([delta('a'), delta('b'), delta('c')])).toEqual([delta('abc')])
  })

  it('of two blocks stay apart, also if the blocks alternate', () => {
    const events = [said('a', 'b1'), said('b', 'b2'), said('c', 'b1')]
    expect(joinDeltas(events)).toEqual(events)
  })

  it('of two types stay apart, also with one id', () => {
    const events = [thought('a', 'x'), said('b', 'x')]
    expect(joinDeltas(events)).toEqual(events)
  })

  it('stay apart around another event', () => {
    const events: AdapterEvent[] = [
      thought('a'),
      { type: 'block_meta', id: 't1', signature: 's' },
      thought('b'),
      { type: 'tool_call_begin', id: 'c1', name: 'read' },
      argument('{'),
      { type: 'call_complete', id: 'c1' },
    ]
    expect(joinDeltas(events)).toEqual(events)
  })

  it('join across usage, whose order is kept', () => {
    expect(joinDeltas([used(1), said('a'), used(2), said('b'), used(3)])).toEqual([
      used(1),
      said('ab'),
      used(2),
      used(3),
    ])
  })

  it('join up to 4,096 characters; a longer delta is left whole', () => {
    const long = 'x'.repeat(5_000)
    const pieces = Array.from({ length: 5_000 }, () => said('y'))
    expect(joinDeltas([said('a'), said(long), ...pieces])).toEqual([
      said('a'),
      said(long),
      said('y'.repeat(4_096)),
      said('y'.repeat(904)),
    ])
  })
})

it('keeps the text of each block and the order of all other events', () => {
  const delta = fc.constantFrom(said, thought, argument)
  const event = fc.oneof(
    fc.tuple(delta, fc.string(), fc.constantFrom('x', 'y')).map(([create, text, id]) => create(text, id)),
    fc.constant(used(1)),
    fc.constant<AdapterEvent>({ type: 'block_meta', id: 'x' }),
  )
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const joined = joinDeltas(events)
      expect(textsOf(joined)).toEqual(textsOf(events))
      expect(othersOf(joined)).toEqual(othersOf(events))
    }),
  )
})

/** The text between two events that separate deltas, by block. */
function textsOf(events: readonly AdapterEvent[]): readonly Record<string, string>[] {
  let texts: Record<string, string> = {}
  const all = [texts]
  for (const event of events) {
    if ('delta' in event) {
      const block = `${event.type} ${event.id}`
      texts[block] = (texts[block] ?? '') + event.delta
    } else if (event.type !== 'usage') {
      texts = {}
      all.push(texts)
    }
  }
  return all
}

function othersOf(events: readonly AdapterEvent[]): readonly AdapterEvent[] {
  return events.filter((event) => !('delta' in event))
}
