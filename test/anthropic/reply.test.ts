import { describe, expect, it } from 'vitest'
import type { AssistantMessage } from '../../src/message.ts'
import { text } from '../support/messages/messages.ts'
import { ask } from '../support/models/asking.ts'
import { event } from '../support/vendors/anthropic-sse.ts'
import { block, claude, end, reason, say, start, stop } from './playback.ts'

function read(...events: readonly string[]): Promise<AssistantMessage> {
  return ask(claude({ bytes: events.join('') }))
}

const toolUse = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'read', input })
const json = (partial_json: string) => ({ type: 'input_json_delta', partial_json })

/** The data kept with each thought. */
const bound = {
  provider: 'anthropic',
  data: { model: 'asked', prefix: expect.stringMatching(/^[0-9a-f]{32}$/) },
}

describe('the content of a reply', () => {
  it('has as many text blocks as were sent', async () => {
    expect(await read(start, say('a'), say('b', 1), end())).toMatchObject({
      content: [text('a'), text('b')],
      model: 'claude-1',
      responseId: 'msg_1',
      stopReason: 'end_turn',
      rawStopReason: 'end_turn',
    })
  })

  it('may be thinking with its signature', async () => {
    const thought = [
      { type: 'thinking_delta', thinking: 'H' },
      { type: 'thinking_delta', thinking: 'm.' },
      { type: 'signature_delta', signature: 'EqQ+/=' },
    ]
    const content = { type: 'thinking', thinking: '', signature: '' }
    expect(await read(start, block(0, content, ...thought), say('a', 1), end())).toMatchObject({
      content: [{ type: 'thinking', thinking: 'Hm.', signature: 'EqQ+/=' }, text('a')],
    })
  })

  it('may be thinking with only a signature', async () => {
    const content = { type: 'thinking', thinking: '', signature: '' }
    const signed = block(0, content, { type: 'signature_delta', signature: 'EqQ' })
    expect((await read(start, signed, say('a', 1), end())).content).toEqual([
      { type: 'thinking', thinking: '', signature: 'EqQ', providerData: bound },
      text('a'),
    ])
  })

  it('has no block for empty thinking', async () => {
    const silent = block(0, { type: 'thinking', thinking: '', signature: '' })
    expect((await read(start, silent, say('a', 1), end())).content).toEqual([text('a')])
  })

  it('may be redacted thinking, with its data as the signature', async () => {
    const hidden = block(0, { type: 'redacted_thinking', data: 'EmwK+/==' })
    expect((await read(start, hidden, end())).content).toEqual([
      { type: 'thinking', thinking: '', redacted: true, signature: 'EmwK+/==', providerData: bound },
    ])
  })

  it('may be calls with arguments in pieces, whole or missing', async () => {
    const pieces = block(0, toolUse('toolu_1'), json(''), json('{"pa'), json('th":"a"}'))
    const whole = block(1, toolUse('toolu_2', { path: 'b' }))
    const none = block(2, toolUse('toolu_3'), json(''))
    expect(await read(start, pieces, whole, none, end('tool_use'))).toMatchObject({
      content: [
        { type: 'tool_call', id: 'toolu_1', name: 'read', arguments: { path: 'a' } },
        { type: 'tool_call', id: 'toolu_2', name: 'read', arguments: { path: 'b' } },
        { type: 'tool_call', id: 'toolu_3', name: 'read', arguments: {} },
      ],
      stopReason: 'tool_use',
    })
  })

  it.each<[string, unknown, ...object[]]>([
    ['as text at its beginning', '{"path":"a"}'],
    ['as an object in a delta', {}, { type: 'input_json_delta', partial_json: { path: 'a' } }],
    ['after an empty object', {}, json('{}'), json('{"pa'), json('th":"a"}')],
    ['after an empty text', '', json('null'), json('{"path":"a"}')],
    ['before an empty object', { path: 'a' }, json('{}')],
  ])('may be a call with its arguments %s', async (_, input, ...deltas) => {
    const { content } = await read(start, block(0, toolUse('toolu_1', input), ...deltas), end('tool_use'))
    expect(content).toMatchObject([{ arguments: { path: 'a' } }])
  })

  it('may be a call without its end', async () => {
    const [begun = ''] = block(0, toolUse('toolu_1', { path: 'a' })).split('event: content_block_stop')
    const { content } = await read(start, begun, end('tool_use'))
    expect(content).toMatchObject([{ arguments: { path: 'a' } }])
  })

  it('may be a call with an empty object in its arguments', async () => {
    const pieces = [json('{"path":'), json('{}'), json('}')]
    const { content } = await read(start, block(0, toolUse('toolu_1'), ...pieces), end('tool_use'))
    expect(content).toMatchObject([{ arguments: { path: {} } }])
  })

  it('keeps arguments that are not JSON unchanged', async () => {
    const broken = block(0, toolUse('toolu_1'), json('{"path": nope'))
    expect((await read(start, broken, end('max_tokens'))).content).toEqual([
      { type: 'tool_call', id: 'toolu_1', name: 'read', arguments: null, argumentsRaw: '{"path": nope' },
    ])
  })

  it('gives a call without an id, or with a used one, a new id', async () => {
    const events = [block(0, toolUse('')), block(1, toolUse('toolu_1')), block(2, toolUse('toolu_1'))]
    const made = expect.stringMatching(/^tool_.{12}$/)
    expect((await read(start, ...events, end('tool_use'))).content).toMatchObject([
      { id: made },
      { id: 'toolu_1' },
      { id: made },
    ])
  })

  it('leaves out server-side tools and unknown blocks', async () => {
    const events = [
      block(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }, json('{"q":1}')),
      block(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
      event('ping', {}),
      event('something_new', { index: 2, delta: { text: 'x' } }),
      block(2, { type: 'something_new', text: 'x' }, { type: 'text_delta', text: 'x' }),
      block(3, { type: 'text', text: '' }, { type: 'citations_delta', citation: {} }, { type: 'new', n: 1 }),
      say('found', 4),
    ]
    expect(await read(start, ...events, end('tool_use'))).toMatchObject({
      content: [text('found')],
      stopReason: 'end_turn',
      rawStopReason: 'tool_use',
    })
  })

  it('continues after a second beginning with its own block numbers', async () => {
    const again = event('message_start', { message: { id: 'msg_2', model: 'claude-2', usage: {} } })
    expect(await read(start, say('a'), again, say('b'), end())).toMatchObject({
      content: [text('a'), text('b')],
      responseId: 'msg_2',
      model: 'claude-2',
    })
  })

  it('may come in events with their type only as their name', async () => {
    const bare = [start, say('a'), end()].join('').replace(/"type":"(message|content_block)_\w+",?/g, '')
    expect(await read(bare)).toMatchObject({ content: [text('a')], stopReason: 'end_turn' })
  })

  it('ends at message_stop', async () => {
    expect((await read(start, say('a'), end(), 'data: nonsense\n\n')).content).toEqual([text('a')])
  })
})

it('reads a whole reply from a server that does not stream', async () => {
  const body = {
    id: 'msg_1',
    type: 'message',
    model: 'm-1',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'text', text: 'Here' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { p: 1 } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, output_tokens: 2 },
  }
  expect(await read(JSON.stringify(body))).toMatchObject({
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      text('Here'),
      { type: 'tool_call', id: 'toolu_1', name: 'read', arguments: { p: 1 } },
    ],
    stopReason: 'tool_use',
    responseId: 'msg_1',
    model: 'm-1',
    usage: { inputTokens: 3, outputTokens: 2, raw: body.usage },
  })
})

describe('a delta without the beginning of its block', () => {
  const delta = (index: number, fields: object) => event('content_block_delta', { index, delta: fields })

  it('opens a block of its kind', async () => {
    const thought = delta(0, { type: 'thinking_delta', thinking: 'Hm.' })
    const words = [delta(1, { type: 'text_delta', text: 'Y' }), delta(1, { type: 'text_delta', text: 'es.' })]
    expect((await read(start, thought, ...words, end())).content).toEqual([
      { type: 'thinking', thinking: 'Hm.' },
      text('Yes.'),
    ])
  })

  it('is skipped in a block of a kind that is not known', async () => {
    const other = block(0, { type: 'mcp_note' }, { type: 'text_delta', text: 'no' })
    expect((await read(start, other, say('Yes.', 1), end())).content).toEqual([text('Yes.')])
  })
})

describe('the stop reason', () => {
  it.each([
    ['end_turn', 'end_turn'],
    ['stop_sequence', 'end_turn'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'refusal'],
    ['pause_turn', 'unknown'],
    ['something_new', 'unknown'],
  ])('%s is %s', async (raw, stopReason) => {
    expect(await read(start, say('a'), end(raw))).toMatchObject({ stopReason, rawStopReason: raw })
  })

  it('is `unknown` if missing', async () => {
    const message = await read(start, say('a'), stop)
    expect(message).toMatchObject({ stopReason: 'unknown' })
    expect(message).not.toHaveProperty('rawStopReason')
  })

  it('is tool_use for a normal stop with calls', async () => {
    expect(await read(start, block(0, toolUse('toolu_1')), end('end_turn'))).toMatchObject({
      stopReason: 'tool_use',
      rawStopReason: 'end_turn',
    })
  })

  it('is kept if a later event has none', async () => {
    expect(await read(start, reason('max_tokens'), end(null))).toMatchObject({ stopReason: 'length' })
  })
})

describe('the usage', () => {
  it('counts the whole prompt; the last numbers count', async () => {
    const first = { input_tokens: 4, cache_read_input_tokens: 10, cache_creation_input_tokens: 0 }
    const began = event('message_start', { message: { usage: { ...first, service_tier: 'standard' } } })
    const last = {
      input_tokens: null,
      cache_creation_input_tokens: 5,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 2 },
    }
    expect(
      (await read(began, say('a'), reason(null, { output_tokens: 3 }), end('end_turn', last))).usage,
    ).toEqual({
      inputTokens: 19,
      outputTokens: 9,
      cacheReadTokens: 10,
      cacheWriteTokens: 5,
      reasoningTokens: 2,
      raw: {
        input_tokens: 4,
        cache_read_input_tokens: 10,
        cache_creation_input_tokens: 5,
        service_tier: 'standard',
        output_tokens: 9,
        output_tokens_details: { thinking_tokens: 2 },
      },
    })
  })

  it.each([
    ['a prompt of 0', { input_tokens: 0, output_tokens: 7 }, 7],
    ['all zeros', { input_tokens: 0, output_tokens: 0 }, 1],
  ])('keeps the real numbers if %s follows', async (_, last, outputTokens) => {
    expect((await read(start, say('a'), end('end_turn', last))).usage).toMatchObject({
      inputTokens: 3,
      outputTokens,
    })
  })

  it('is undefined without numbers', async () => {
    const bare = event('message_start', { message: {} })
    const over = event('message_delta', { delta: { stop_reason: 'end_turn' } })
    expect((await read(bare, say('a'), over, stop)).usage).toEqual({ inputTokens: 0, outputTokens: 0 })
  })
})
