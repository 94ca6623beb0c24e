import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { StreamEvent } from '../../src/event.ts'
import { parseJson } from '../../src/json-value.ts'
import type { AssistantMessage, ContentBlock } from '../../src/message.ts'
import { Accumulator, type AdapterEvent, type Finish } from '../../src/reply/accumulator.ts'
import { messageId, timestamp } from '../support/messages/messages.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'
import { thrown } from '../support/thrown.ts'

const speaker = { id: messageId(1), timestamp, provider: 'replay', model: 'script' }

/** The visible events and the message. */
function fold(
  events: readonly AdapterEvent[],
  finish: Finish = { stopReason: 'end_turn' },
): { readonly seen: readonly StreamEvent[]; readonly message: AssistantMessage } {
  const draft = new Accumulator(speaker)
  const seen = events.flatMap((event) => draft.add(event) ?? [])
  seen.push(...draft.finish(finish))
  return { seen, message: draft.snapshot('unknown') }
}

const content = (events: readonly AdapterEvent[]): readonly ContentBlock[] => fold(events).message.content
const begin = (id: string, name = 'read'): AdapterEvent => ({ type: 'tool_call_begin', id, name })
const piece = (id: string, delta: string): AdapterEvent => ({ type: 'tool_call_delta', id, delta })
const whole = (id: string): AdapterEvent => ({ type: 'call_complete', id })
const said = (id: string, delta: string): AdapterEvent => ({ type: 'text_delta', id, delta })
const thought = (id: string, delta: string): AdapterEvent => ({ type: 'thinking_delta', id, delta })

it('a reply with an unknown stop reason stopped for its calls, unless one is cut off', async () => {
  const finish: Finish = { stopReason: 'unknown', requestId: 'req_1' }
  expect(fold([begin('a'), piece('a', '{}')], finish).message.stopReason).toBe('tool_use')
  expect(fold([said('a', 'x')], finish).message.stopReason).toBe('unknown')
  expect(await thrown(() => fold([begin('a'), piece('a', '{"p')], finish))).toMatchObject({
    code: 'network',
    message: 'the reply of replay was cut off in a tool call',
    details: { request_id: 'req_1' },
  })
})

it('null arguments count as none', () => {
  expect(content([begin('a'), piece('a', 'null')])).toEqual([
    { type: 'tool_call', id: 'a', name: 'read', arguments: {} },
  ])
})

/** A block as a server sends it, with its expected form in the message. */
interface Script {
  readonly events: readonly AdapterEvent[]
  readonly block: ContentBlock
}

const pieces = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.array(fc.nat(30), { maxLength: 6 })).map(([whole, cuts]) => {
    const borders = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
    return borders.slice(1).map((border, i) => whole.slice(borders[i], border))
  })

const prose = (type: 'text' | 'thinking') => (id: string) =>
  pieces(fc.string({ minLength: 1, unit: fc.constantFrom('a', ' ', '\n', '"', 'é', '🪈') })).map(
    (deltas): Script => {
      const words = deltas.join('')
      return type === 'text'
        ? { events: deltas.map((delta) => said(id, delta)), block: { type, text: words } }
        : { events: deltas.map((delta) => thought(id, delta)), block: { type, thinking: words } }
    },
  )

/** Arguments as JSON, whole or cut off; ended by the server, repeated at the end, or left open. */
const call = (id: string) =>
  fc
    .tuple(fc.json({ maxDepth: 2 }), fc.constantFrom(0, 1, 3), fc.constantFrom('ended', 'repeated', 'open'))
    .chain(([json, lost, ending]) => {
      const sent = json.slice(0, json.length - lost)
      return pieces(fc.constant(sent)).map((deltas): Script => {
        const ends: AdapterEvent[] =
          ending === 'open'
            ? []
            : [{ type: 'call_complete', id, ...(ending === 'repeated' && { text: json }) }]
        return {
          events: [begin(id, 'edit'), ...deltas.map((delta) => piece(id, delta)), ...ends],
          block: expectedCall(id, ending === 'repeated' ? json : sent),
        }
      })
    })

function expectedCall(id: string, text: string): ContentBlock {
  const args = ['', 'null'].includes(text.trim()) ? {} : parseJson(text)
  return args === undefined
    ? { type: 'tool_call', id, name: 'edit', arguments: null, argumentsRaw: text }
    : { type: 'tool_call', id, name: 'edit', arguments: args }
}

const scripts = fc
  .array(fc.constantFrom(prose('text'), prose('thinking'), call, call), { minLength: 1, maxLength: 5 })
  .chain((kinds) => fc.tuple(...kinds.map((kind, i) => kind(`b${i}`))))

/** Interleaves the events of all blocks, keeping each block's order. */
function interleave(blocks: readonly Script[], turns: readonly number[]): readonly AdapterEvent[] {
  const queues = blocks.map(({ events }) => [...events])
  const order: AdapterEvent[] = []
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
    const waiting = queues.filter((queue) => queue.length > 0)
    const event = waiting[(turns[turn % turns.length] ?? 0) % waiting.length]?.shift()
    if (event !== undefined) order.push(event)
  }
  return order
}

const idOf = (event: AdapterEvent) => ('id' in event ? event.id : '')
const isEmpty = (event: AdapterEvent) => 'delta' in event && event.delta === ''

describe('a reply rebuilt from deltas', () => {
  const turns = fc.array(fc.nat(20), { minLength: 1, maxLength: 40 })

  sizedIt('does not depend on how its blocks are split and interleaved', () => {
    fc.assert(
      fc.property(scripts, turns, (blocks, order) => {
        const events = interleave(blocks, order)
        const opened = [...new Set(events.filter((event) => !isEmpty(event)).map(idOf))]
        expect(content(events)).toEqual(opened.map((id) => blocks[Number(id.slice(1))]?.block))
      }),
      { numRuns: sized(200, 40) },
    )
  })

  sizedIt('ends each call once, with the call of the message', () => {
    fc.assert(
      fc.property(scripts, turns, (blocks, order) => {
        const { seen, message } = fold(interleave(blocks, order))
        const ends = seen.flatMap((event) => (event.type === 'tool_call_end' ? [event.call] : []))
        const calls = message.content.filter((block) => block.type === 'tool_call')
        expect(new Set(ends)).toEqual(new Set(calls))
        expect(ends).toHaveLength(calls.length)
      }),
      { numRuns: sized(100, 20) },
    )
  })

  it('can be read at any moment, and earlier snapshots never change', () => {
    fc.assert(
      fc.property(scripts, turns, (blocks, order) => {
        const draft = new Accumulator(speaker)
        const readings = interleave(blocks, order).map((event) => {
          draft.add(event)
          const message = draft.snapshot('unknown')
          return { message, copy: structuredClone(message) }
        })
        draft.finish({ stopReason: 'end_turn' })
        for (const { message, copy } of readings) expect(message).toEqual(copy)
      }),
      { numRuns: 50 },
    )
  })
})

quickDescribe('a tool call', () => {
  it.each(['', ' '])('with the name %j gets a placeholder name', () => {
    const { seen, message } = fold([begin('c', ''), whole('c')])
    const call = { type: 'tool_call', id: 'c', name: 'unnamed', arguments: {} }
    expect(seen).toEqual([
      { type: 'tool_call_begin', id: 'c', name: 'unnamed' },
      { type: 'tool_call_end', call },
    ])
    expect(message.content).toEqual([call])
  })

  it('without argument text has no arguments', () => {
    expect(content([begin('a'), piece('a', ' '), whole('a')])).toEqual([
      { type: 'tool_call', id: 'a', name: 'read', arguments: {} },
    ])
  })

  it('that is cut off keeps its raw text without arguments', () => {
    expect(content([begin('a'), piece('a', '{"path":"a'), begin('b'), piece('b', '[1]')])).toEqual([
      { type: 'tool_call', id: 'a', name: 'read', arguments: null, argumentsRaw: '{"path":"a' },
      { type: 'tool_call', id: 'b', name: 'read', arguments: [1] },
    ])
  })

  it('counts as cut off if read too early', () => {
    const draft = new Accumulator(speaker)
    draft.add(begin('a'))
    draft.add(piece('a', '{}'))
    expect(draft.snapshot('aborted').content).toEqual([
      { type: 'tool_call', id: 'a', name: 'read', arguments: null, argumentsRaw: '{}' },
    ])
  })

  it('keeps vendor data, whenever it arrives', () => {
    const providerData = { provider: 'google', data: { thought_signature: 'abc' } }
    const events = [begin('a'), whole('a'), { type: 'block_meta', id: 'a', providerData }] as const
    expect(content(events)).toEqual([
      { type: 'tool_call', id: 'a', name: 'read', arguments: {}, providerData },
    ])
  })

  it.each([
    ['an id used twice', [begin('a'), begin('a')]],
    ['an id used by text', [said('a', 'x'), begin('a')]],
    ['a delta before the beginning', [piece('a', '{}')]],
    ['a delta into text', [said('a', 'x'), piece('a', '{}')]],
    ['a delta after the end', [begin('a'), whole('a'), piece('a', '{}')]],
    ['an end without a beginning', [whole('a')]],
    ['a second end', [begin('a'), whole('a'), whole('a')]],
  ] satisfies [string, AdapterEvent[]][])('breaks the protocol by %s', async (_, events) => {
    expect(await thrown(() => fold(events))).toMatchObject({ name: 'PipeError', code: 'protocol' })
  })
})

quickDescribe('text and thinking', () => {
  it('interleave, each in the block of its id, in the order of their first delta', () => {
    expect(
      content([
        thought('t', 'I '),
        said('x', 'Hello'),
        thought('t', 'think'),
        said('x', '!'),
        said('y', 'Bye'),
      ]),
    ).toEqual([
      { type: 'thinking', thinking: 'I think' },
      { type: 'text', text: 'Hello!' },
      { type: 'text', text: 'Bye' },
    ])
  })

  it('do not share a block', async () => {
    expect(await thrown(() => content([said('a', 'x'), thought('a', 'y')]))).toMatchObject({
      code: 'protocol',
    })
  })

  it('open no block and are hidden if empty', () => {
    const { seen, message } = fold([said('a', ''), thought('b', ''), begin('c'), piece('c', '')])
    expect(seen.map((event) => event.type)).toEqual(['tool_call_begin', 'tool_call_end'])
    expect(message.content).toHaveLength(1)
  })
})

quickDescribe('metadata of a block', () => {
  it('signs visible thinking, in one piece or several', () => {
    const data = { provider: 'anthropic', data: 1 }
    expect(
      content([
        { type: 'block_meta', id: 't', redacted: false },
        thought('t', 'hm'),
        { type: 'block_meta', id: 't', signature: 'half' },
        { type: 'block_meta', id: 't', signature: 'whole', providerData: data },
      ]),
    ).toEqual([{ type: 'thinking', thinking: 'hm', signature: 'whole', redacted: false, providerData: data }])
  })

  it('opens a separate block for thinking hidden by the server', () => {
    expect(content([{ type: 'block_meta', id: 't', signature: 'opaque', redacted: true }])).toEqual([
      { type: 'thinking', thinking: '', signature: 'opaque', redacted: true },
    ])
  })

  it('adds only vendor data to text', () => {
    const providerData = { provider: 'google', data: 'x' }
    expect(content([said('x', 'hi'), { type: 'block_meta', id: 'x', signature: 's', providerData }])).toEqual(
      [{ type: 'text', text: 'hi', providerData }],
    )
  })
})

quickDescribe('the end of a reply', () => {
  const usage = (outputTokens: number) => ({ inputTokens: 7, outputTokens, raw: { out: outputTokens } })

  it('comes from the adapter, with the model that answered', () => {
    const finish: Finish = {
      stopReason: 'tool_use',
      rawStopReason: 'tool_calls',
      usage: usage(2),
      responseId: 'r1',
      model: 'script-2026',
      providerData: { provider: 'openai', data: null },
    }
    expect(fold([said('x', 'hi')], finish).message).toEqual({
      type: 'assistant',
      ...speaker,
      content: [{ type: 'text', text: 'hi' }],
      ...finish,
    })
  })

  it('has the last usage', () => {
    const events: AdapterEvent[] = [
      { type: 'usage', usage: usage(1) },
      { type: 'usage', usage: usage(2) },
    ]
    expect(fold(events).message.usage).toEqual(usage(2))
    expect(fold(events, { stopReason: 'length', usage: usage(3) }).message.usage).toEqual(usage(3))
  })

  it('is the given reason if the reply did not end', () => {
    expect(new Accumulator(speaker).snapshot('aborted')).toEqual({
      type: 'assistant',
      ...speaker,
      content: [],
      stopReason: 'aborted',
      usage: { inputTokens: 0, outputTokens: 0 },
    })
  })
})
