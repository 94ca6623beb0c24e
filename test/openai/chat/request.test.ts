import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Quirks } from '../../../src/machine/model-server.ts'
import type { ContentBlock, Message, ThinkingBlock } from '../../../src/message.ts'
import { read } from '../../support/conversations/read-tool.ts'
import { assistant, call, image, note, pdf, text, toolResult, user } from '../../support/messages/messages.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'
import { body } from './body.ts'

function sent(...messages: readonly Message[]): unknown {
  return body({ messages }).messages
}

const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const wireCall = (id: string, args = '{"path":"auth.ts"}') => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: args },
})

quickDescribe('the body of a request', () => {
  it('holds all options of the request', () => {
    const options = { maxTokens: 100, temperature: 0.5, thinking: 'high', tools: [read] } as const
    expect(body({ systemPrompt: 'Be brief.', ...options })).toEqual({
      model: 'm-1',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: { name: 'read', description: 'Reads a file.', parameters: read.parameters },
        },
      ],
      temperature: 0.5,
      max_tokens: 100,
      reasoning_effort: 'high',
    })
  })

  it('holds nothing else', () => {
    const least = {
      model: 'm-1',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      stream_options: { include_usage: true },
    }
    expect(body({})).toEqual(least)
    expect(body({ thinking: 'off' })).toEqual(least)
  })

  it('follows the quirks of a server', () => {
    const quirks: Quirks = {
      maxTokensField: 'max_completion_tokens',
      streamOptions: false,
      systemRole: 'developer',
      reasoningEffort: { xhigh: 'max' },
    }
    expect(body({ systemPrompt: 'Hi', maxTokens: 9, thinking: 'xhigh' }, quirks)).toEqual({
      model: 'm-1',
      messages: [
        { role: 'developer', content: 'Hi' },
        { role: 'user', content: 'hello' },
      ],
      stream: true,
      max_completion_tokens: 9,
      reasoning_effort: 'max',
    })
  })
})

describe('the messages of a request', () => {
  it('hold images, PDF files and texts', () => {
    expect(sent(user(text('look'), image, pdf, note))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          imagePart,
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
          { type: 'text', text: 'a note' },
        ],
      },
    ])
  })

  it('hold calls and their results', () => {
    const messages = [user(text('hi')), assistant(text('Look.'), call('a')), toolResult('a', text('42'))]
    expect(sent(...messages)).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Look.', tool_calls: [wireCall('a')] },
      { role: 'tool', tool_call_id: 'a', content: '42' },
    ])
  })

  it('send the images of results after them', () => {
    const calls = assistant(call('a'), call('b'))
    const results = [toolResult('a', image), toolResult('b', text('42'))]
    expect(sent(user(text('hi')), calls, ...results, user(text('and?')))).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: [wireCall('a'), wireCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: '(the result follows)' },
      { role: 'tool', tool_call_id: 'b', content: '42' },
      { role: 'user', content: [imagePart, { type: 'text', text: 'and?' }] },
    ])
  })

  it('join adjacent messages of one role and leave out empty ones', () => {
    const thinking: ThinkingBlock = { type: 'thinking', thinking: 'Hm.' }
    expect(
      sent(
        user(text('a')),
        assistant(thinking),
        user(text(''), text('b')),
        assistant(text('c')),
        assistant(text('d')),
        user(text('e')),
      ),
    ).toEqual([
      { role: 'user', content: 'a\n\nb' },
      { role: 'assistant', content: 'c\n\nd' },
      { role: 'user', content: 'e' },
    ])
  })

  it('give a cut call valid JSON as arguments', () => {
    const cut = { ...call('a'), arguments: null, argumentsRaw: '{"pa' }
    expect(sent(user(text('a')), assistant(cut), toolResult('a', text('cut')))).toMatchObject([
      {},
      { tool_calls: [wireCall('a', '{}')] },
      {},
    ])
  })

  it('make foreign ids acceptable, stable and equal for call and result', () => {
    const long = `toolu_${'x'.repeat(60)}`
    const messages = [
      user(text('a')),
      assistant(call(long), call('call_0'), call('a b')),
      toolResult(long, text('1')),
      toolResult('call_0', text('2')),
      toolResult('a b', text('3')),
    ]
    expect(sent(...messages)).toMatchObject([
      {},
      { tool_calls: [{ id: 'call_0' }, { id: 'call_1' }, { id: 'call_2' }] },
      { tool_call_id: 'call_0', content: '1' },
      { tool_call_id: 'call_1', content: '2' },
      { tool_call_id: 'call_2', content: '3' },
    ])
    expect(sent(...messages)).toEqual(sent(...messages))
  })

  it.each([
    ['unchanged to their own model', 'm-1', 'functions.read:0', { google: { thought_signature: 'sig' } }],
    ['in plain form to another model', 'm-2', 'call_0', undefined],
  ])('send calls back %s', (_, model, id, extra_content) => {
    const data = { model: 'm-1', extra_content: { google: { thought_signature: 'sig' } } }
    const made = { ...call('functions.read:0'), providerData: { provider: 'openai', data } }
    const messages = [user(text('a')), assistant(made), toolResult('functions.read:0', text('1'))]
    const [, spoken, result] = body({ messages, model }).messages
    expect(spoken).toHaveProperty('tool_calls.0.id', id)
    expect(result).toHaveProperty('tool_call_id', id)
    expect(JSON.stringify(spoken).includes(JSON.stringify({ extra_content }).slice(1, -1))).toBe(true)
  })

  it('keep ids to the length that a server requires', () => {
    const messages = [user(text('a')), assistant(call('D681PevKs')), toolResult('D681PevKs', text('1'))]
    const foreign = [...messages, assistant(call('call_1')), toolResult('call_1', text('2'))]
    expect(body({ messages: foreign }, { callIdLength: 9 }).messages).toMatchObject([
      {},
      { tool_calls: [{ id: 'D681PevKs' }] },
      { tool_call_id: 'D681PevKs' },
      { tool_calls: [{ id: '000000001' }] },
      { tool_call_id: '000000001' },
    ])
  })

  it.each([
    [
      'to its own model',
      'openai',
      'm-1',
      { reasoning_details: [{ type: 'reasoning.text' }], thinking_blocks: [{ type: 'thinking' }] },
    ],
    ['not to another model', 'openai', 'm-2', {}],
    ['not to another provider', 'openrouter', 'm-1', {}],
  ])('send proof of thinking back %s', (_, provider, model, expected) => {
    const lists = { reasoning_details: [{ type: 'reasoning.text' }], thinking_blocks: [{ type: 'thinking' }] }
    const data = { model, ...lists }
    const thinking: ThinkingBlock = { type: 'thinking', thinking: 'Hm.', providerData: { provider, data } }
    expect(sent(user(text('a')), assistant(thinking, text('b')), user(text('c')))).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', ...expected },
      { role: 'user', content: 'c' },
    ])
  })

  it('hold the server’s own thinking if it wants that with its calls', () => {
    const thinking: ThinkingBlock = { type: 'thinking', thinking: 'Hm.' }
    const own = { ...assistant(thinking, call('a')), provider: 'openai' }
    const messages = [user(text('a')), own, toolResult('a', text('1')), assistant(thinking, call('b'))]
    const whole = [...messages, toolResult('b', text('2'))]
    expect(body({ messages: whole }, { reasoningContent: true }).messages).toMatchObject([
      {},
      { tool_calls: [wireCall('a')], reasoning_content: 'Hm.' },
      {},
      { tool_calls: [wireCall('b')], reasoning_content: '' },
      {},
    ])
    expect(JSON.stringify(sent(...whole))).not.toContain('reasoning_content')
  })

  it('insert an assistant message before the user’s if a server requires it', () => {
    const messages = [user(text('a')), assistant(call('a')), toolResult('a', image), user(text('b'))]
    const acknowledged = { role: 'assistant', content: '(I have the results.)' }
    expect(body({ messages }, { userAfterTool: false }).messages.slice(3)).toEqual([
      acknowledged,
      { role: 'user', content: [imagePart, { type: 'text', text: 'b' }] },
    ])
    expect(sent(...messages)).not.toContainEqual(acknowledged)
  })

  sizedIt('are accepted by a real server for any history', async () => {
    const id = fc.oneof(fc.constantFrom('call_0', 'call_1'), fc.string({ minLength: 1 }))
    const empty: ContentBlock = { type: 'document', mimeType: 'text/plain', data: '' }
    const block = fc.constantFrom<ContentBlock>(text('a'), text(''), image, empty)
    const said = fc.constantFrom<ContentBlock>(text('a'), text(''), { type: 'thinking', thinking: 'Hm.' })
    const round = fc
      .tuple(fc.array(block), fc.array(said), fc.uniqueArray(id, { maxLength: 3 }), fc.array(block))
      .map(([asked, answered, ids, result]): Message[] => [
        user(...asked),
        assistant(...answered, ...ids.map((id) => call(id))),
        ...ids.map((id) => toolResult(id, ...result)),
      ])
    const strict: Quirks = { callIdLength: 9, userAfterTool: false, reasoningContent: true }
    await fc.assert(
      fc.asyncProperty(fc.array(round), async (rounds) => {
        const messages = [...rounds.flat(), user(text('go on'))]
        for (const quirks of [{}, strict]) body({ messages }, quirks)
      }),
      { numRuns: sized(200, 40) },
    )
  })
})
