import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { AssistantMessage, ContentBlock, Message, ThinkingBlock } from '../../src/message.ts'
import type { ModelInfo, Thinking } from '../../src/model.ts'
import { type OllamaBody, ollamaBody } from '../../src/ollama/request.ts'
import type { Request, ThinkingLevel, ToolChoice } from '../../src/provider.ts'
import { read } from '../support/conversations/read-tool.ts'
import { assistant, call, image, note, pdf, text, toolResult, user } from '../support/messages/messages.ts'
import { leastRequest } from '../support/models/asking.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'
import { checkOllamaBody } from '../support/vendors/ollama-rules.ts'

/** Builds the body of a request and checks it by the rules of a real server. */
function body(request: Partial<Request>): OllamaBody {
  const whole = { ...leastRequest, model: 'm-1', ...request }
  const body = ollamaBody(whole, 'ollama')
  expect(checkOllamaBody(JSON.parse(JSON.stringify(body)))).not.toHaveProperty('violation')
  return body
}

function sent(...messages: readonly Message[]): unknown {
  return body({ messages }).messages
}

/** A message of our own model. */
function spoken(...content: readonly ContentBlock[]): AssistantMessage {
  return { ...assistant(...content), provider: 'ollama', model: 'm-1' }
}

function known(fields: Partial<ModelInfo>): { readonly info: ModelInfo } {
  return { info: { provider: 'ollama', id: 'm-1', ...fields } }
}

const thought: ThinkingBlock = { type: 'thinking', thinking: 'Hm.' }
const asked = { role: 'user', content: 'hi' }
const wireCall = (id: string, args: object = { path: 'auth.ts' }) => ({
  id,
  function: { name: 'read', arguments: args },
})
const wireResult = (id: string, content: string) => ({
  role: 'tool',
  content,
  tool_name: 'read',
  tool_call_id: id,
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
      tools: [
        {
          type: 'function',
          function: { name: 'read', description: 'Reads a file.', parameters: read.parameters },
        },
      ],
      think: true,
      truncate: false,
      shift: false,
      options: { num_ctx: 8192, num_predict: 100, temperature: 0.5 },
    })
  })

  it('holds nothing else, except the options against truncation', () => {
    expect(body({})).toEqual({
      model: 'm-1',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      truncate: false,
      shift: false,
      options: { num_ctx: 8192 },
    })
  })

  it('describes properties that may be anything as objects', () => {
    const properties = { any: true, inner: { type: 'object', properties: { none: false } } }
    const parameters = { properties, required: ['any'] }
    expect(body({ tools: [{ ...read, parameters }] }).tools?.[0]?.function.parameters).toEqual({
      type: 'object',
      properties: { any: {}, inner: { type: 'object', properties: { none: {} } } },
      required: ['any'],
    })
  })

  it.each<[ToolChoice, readonly string[]]>([
    ['auto', ['read', 'write']],
    ['required', ['read', 'write']],
    ['none', []],
    [{ tool: 'write' }, ['write']],
  ])('for the choice %j offers the tools %j', (toolChoice, names) => {
    const { tools = [] } = body({ toolChoice, tools: [read, { ...read, name: 'write' }] })
    expect(tools.map((tool) => tool.function.name)).toEqual(names)
  })
})

quickDescribe('the context size of a request', () => {
  const words = (bytes: number) => [user(text('x'.repeat(bytes)))]
  const contextOf = (request: Partial<Request>) => body(request).options.num_ctx

  it.each<[string, Partial<Request>, number]>([
    ['is 8,192 tokens for a short request', {}, 8192],
    ['is the next power of two above prompt and reply', { messages: words(20_000) }, 16_384],
    ['counts bytes, not characters', { messages: [user(text('界'.repeat(10_000)))] }, 16_384],
    ['counts the tools', { tools: [{ ...read, description: 'x'.repeat(20_000) }] }, 16_384],
    ['counts a given limit on the reply', { maxTokens: 10_000 }, 16_384],
    [
      'counts images, but not their bytes',
      { messages: [user({ ...image, data: 'A'.repeat(400_000) })] },
      8192,
    ],
    ['counts many images', { messages: [user(...Array.from({ length: 10 }, () => image))] }, 16_384],
    ['is at most 32,768 tokens for an unknown model', { messages: words(300_000) }, 32_768],
    [
      "is at most the model's window",
      { messages: words(300_000), ...known({ contextWindow: 40_960 }) },
      40_960,
    ],
    ['grows with a large window', { messages: words(150_000), ...known({ contextWindow: 262_144 }) }, 65_536],
    ['is the window of a small model', known({ contextWindow: 2048 }), 2048],
  ])('%s', (_, request, tokens) => {
    expect(contextOf(request)).toBe(tokens)
  })
})

quickDescribe('thinking', () => {
  const effort = (...levels: readonly ThinkingLevel[]): Thinking => ({ type: 'effort', levels })
  const budget: Thinking = { type: 'budget', min: 0, max: 9, optional: true }

  it.each<[string, ThinkingLevel | undefined, Thinking | undefined, unknown]>([
    ['m-1', undefined, undefined, undefined],
    ['m-1', 'off', undefined, false],
    ['m-1', 'minimal', undefined, true],
    ['m-1', 'xhigh', undefined, true],
    ['m-1', 'high', budget, true],
    ['m-1', 'high', { type: 'none' }, undefined],
    ['m-1', 'off', { type: 'fixed' }, undefined],
    ['m-1', 'high', effort('off', 'minimal'), true],
    ['gpt-oss:20b', undefined, undefined, undefined],
    ['gpt-oss:20b', 'off', undefined, false],
    ['gpt-oss:20b', 'minimal', undefined, 'low'],
    ['gpt-oss:20b', 'medium', undefined, 'medium'],
    ['gpt-oss:20b', 'xhigh', undefined, 'high'],
    ['gpt-oss:120b', 'xhigh', effort('low', 'medium', 'high'), 'high'],
    ['gpt-oss:120b', 'off', effort('low', 'medium', 'high'), false],
  ])('of %s at the level %s, known as %j, is %s', (model, level, thinking, think) => {
    const info = thinking === undefined ? {} : known({ thinking })
    expect(body({ model, ...(level === undefined ? {} : { thinking: level }), ...info }).think).toBe(think)
  })
})

describe('the messages of a request', () => {
  it('hold images and texts, and notes for other documents', () => {
    expect(sent(user(text('look'), image, pdf, note))).toEqual([
      {
        role: 'user',
        content: 'look\n\n(the document a.pdf, which this model cannot read)\n\na note',
        images: ['iVBORw0KGgo='],
      },
    ])
  })

  it('hold a note for each image that the model cannot see', () => {
    const messages = [user(text('look'), image)]
    expect(body({ messages, ...known({ images: false }) }).messages).toEqual([
      { role: 'user', content: 'look\n\n(an image, which this model cannot see)' },
    ])
  })

  it('hold calls and their results, images included', () => {
    const calls = spoken(text('Look.'), call('a'), call('b'))
    expect(sent(user(text('hi')), calls, toolResult('a', text('42'), image), toolResult('b', image))).toEqual(
      [
        asked,
        { role: 'assistant', content: 'Look.', tool_calls: [wireCall('a'), wireCall('b')] },
        { ...wireResult('a', '42'), images: ['iVBORw0KGgo='] },
        { ...wireResult('b', ''), images: ['iVBORw0KGgo='] },
      ],
    )
  })

  it('join adjacent messages of one role and leave out empty ones', () => {
    expect(
      sent(
        user(text('hi')),
        spoken(thought),
        user(text(''), image),
        spoken(thought, text('a')),
        spoken(thought, text('b'), call('c')),
        toolResult('c', text('42')),
        user(),
        user(text('e')),
      ),
    ).toEqual([
      { role: 'user', content: 'hi', images: ['iVBORw0KGgo='] },
      { role: 'assistant', content: 'a\n\nb', thinking: 'Hm.Hm.', tool_calls: [wireCall('c')] },
      wireResult('c', '42'),
      { role: 'user', content: 'e' },
    ])
  })

  it('give a cut call an object as arguments', () => {
    const cut = { ...call('a'), arguments: null, argumentsRaw: '{"pa' }
    expect(sent(user(text('hi')), assistant(cut), toolResult('a', text('cut')))).toEqual([
      asked,
      { role: 'assistant', content: '', tool_calls: [wireCall('a', {})] },
      wireResult('a', 'cut'),
    ])
  })

  it.each<[string, Partial<AssistantMessage>, object]>([
    ['back to its own model', {}, { thinking: 'Hm.' }],
    ['not to another model', { model: 'm-2' }, {}],
    ['not to another provider', { provider: 'anthropic' }, {}],
  ])('send thinking %s', (_, speaker, expected) => {
    const signed = { ...thought, signature: 'EqQ' }
    expect(sent(user(text('hi')), { ...spoken(signed, text('b')), ...speaker }, user(text('hi')))).toEqual([
      asked,
      { role: 'assistant', content: 'b', ...expected },
      asked,
    ])
  })

  sizedIt('are accepted by a real server for any history', async () => {
    const id = fc.oneof(fc.constantFrom('call_0', 'call_1'), fc.string({ minLength: 1 }))
    const block = fc.constantFrom<ContentBlock>(text('a'), text(''), image)
    const said = fc.constantFrom<ContentBlock>(text('a'), text(''), thought)
    const round = fc
      .tuple(fc.array(block), fc.array(said), fc.uniqueArray(id, { maxLength: 3 }), fc.array(block))
      .map(([asked, answered, ids, result]): Message[] => [
        user(...asked),
        spoken(...answered, ...ids.map((id) => call(id))),
        ...ids.map((id) => toolResult(id, ...result)),
      ])
    await fc.assert(
      fc.asyncProperty(fc.array(round), async (rounds) => {
        sent(...rounds.flat(), user(text('go on')))
      }),
      { numRuns: sized(100, 20) },
    )
  })
})
