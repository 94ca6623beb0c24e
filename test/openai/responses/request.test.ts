import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Quirks } from '../../../src/machine/model-server.ts'
import type { ContentBlock, Message } from '../../../src/message.ts'
import type { ModelInfo, Thinking } from '../../../src/model.ts'
import { type ResponsesBody, responsesBody } from '../../../src/openai/responses/request.ts'
import type { Request, ThinkingLevel, ToolChoice } from '../../../src/provider.ts'
import { read } from '../../support/conversations/read-tool.ts'
import {
  assistant,
  call,
  image,
  messageId,
  note,
  pdf,
  text,
  toolResult,
  user,
} from '../../support/messages/messages.ts'
import { leastRequest } from '../../support/models/asking.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'
import { checkResponsesBody } from '../../support/vendors/responses-rules.ts'

/** Builds the body of a request and checks it by the rules of a real server. */
function body(request: Partial<Request>, quirks?: Quirks): ResponsesBody {
  const whole = { ...leastRequest, model: 'm-1', ...request }
  const composed = responsesBody(whole, 'openai', quirks)
  expect(checkResponsesBody(JSON.parse(JSON.stringify(composed)))).not.toHaveProperty('violation')
  return composed
}

function sent(...messages: readonly Message[]): unknown {
  return body({ messages }).input
}

function known(fields: Partial<ModelInfo>): ModelInfo {
  return { provider: 'openai', id: 'm-1', ...fields }
}

const imagePart = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw0KGgo=' }
const pdfPart = { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' }
const textPart = (text: string) => ({ type: 'input_text', text })
const asked = (...content: readonly object[]) => ({ type: 'message', role: 'user', content })
const answered = (content: string) => ({ type: 'message', role: 'assistant', content })
const wireCall = (call_id: string, args = '{"path":"auth.ts"}') => ({
  type: 'function_call',
  call_id,
  name: 'read',
  arguments: args,
})
const result = (call_id: string, output: unknown = '42') => ({
  type: 'function_call_output',
  call_id,
  output,
})

const least = {
  model: 'm-1',
  input: [asked(textPart('hello'))],
  stream: true,
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: messageId(1),
}

quickDescribe('the body of a request', () => {
  it('holds all options of the request', () => {
    const options = { maxTokens: 100, thinking: 'high', toolChoice: 'required', tools: [read] } as const
    expect(body({ systemPrompt: 'Be brief.', ...options })).toEqual({
      ...least,
      instructions: 'Be brief.',
      tools: [
        {
          type: 'function',
          name: 'read',
          description: 'Reads a file.',
          parameters: { properties: { path: { type: 'string' } }, type: 'object' },
          strict: false,
        },
      ],
      tool_choice: 'required',
      max_output_tokens: 100,
      reasoning: { effort: 'high', summary: 'auto' },
    })
  })

  it('holds nothing else', () => {
    expect(body({})).toEqual(least)
    expect(body({ thinking: 'off', toolChoice: 'auto' })).toEqual(least)
  })

  it('does not request thinking from a model that never thinks', () => {
    const { include: _, ...rest } = least
    expect(body({ info: known({ thinking: { type: 'none' } }), thinking: 'high' })).toEqual(rest)
  })

  it('requests at least the server’s minimum', () => {
    expect(body({ maxTokens: 1 })).toEqual({ ...least, max_output_tokens: 16 })
  })

  it('keeps one cache key for a conversation', () => {
    const messages = [user(text('hello')), assistant(text('hi')), { ...user(text('so')), id: messageId(7) }]
    expect(body({ messages }).prompt_cache_key).toBe(messageId(1))
  })

  it.each<[ToolChoice, Quirks, unknown]>([
    ['none', {}, 'none'],
    ['required', { toolChoiceRequired: 'any' }, 'any'],
    [{ tool: 'read' }, {}, { type: 'function', name: 'read' }],
  ])('chooses the tool: %j', (toolChoice, quirks, expected) => {
    const request = { model: 'm-1', systemPrompt: '', messages: [user(text('a'))], tools: [read], toolChoice }
    expect(responsesBody(request, 'openai', quirks).tool_choice).toEqual(expected)
  })

  it.each<[string, Thinking | undefined, ThinkingLevel | undefined, unknown]>([
    ['an unknown model', undefined, undefined, 0.5],
    ['an unknown model with thinking', undefined, 'low', undefined],
    ['a model that never thinks', { type: 'none' }, 'low', 0.5],
    ['a model with fixed thinking', { type: 'fixed' }, undefined, undefined],
    ['a model that thinks by effort', { type: 'effort', levels: ['low'] }, undefined, undefined],
  ])('has the temperature for %s: %j, %s', (_, type, thinking, expected) => {
    const info = known(type === undefined ? {} : { thinking: type })
    const level = thinking === undefined ? {} : { thinking }
    expect(body({ temperature: 0.5, info, ...level }).temperature).toBe(expected)
  })
})

quickDescribe('the level of thinking', () => {
  const summary = 'auto'
  const levels = ['minimal', 'low', 'medium'] as const
  it.each<[string, ThinkingLevel, Thinking | undefined, unknown]>([
    ['its own name for an unknown model', 'medium', undefined, { effort: 'medium', summary }],
    ['nothing for fixed thinking', 'high', { type: 'fixed' }, undefined],
    ['nothing for a model that never thinks', 'high', { type: 'none' }, undefined],
    ['the nearest known level', 'xhigh', { type: 'effort', levels }, { effort: 'medium', summary }],
    [
      'the lowest level if `off` is unsupported',
      'off',
      { type: 'effort', levels },
      { effort: 'minimal', summary },
    ],
    ['none if `off` is supported', 'off', { type: 'effort', levels: ['off', 'low'] }, { effort: 'none' }],
    ['nothing without levels', 'high', { type: 'effort', levels: [] }, undefined],
  ])('is %s', (_, thinking, type, expected) => {
    const info = type === undefined ? {} : { info: known({ thinking: type }) }
    expect(body({ thinking, ...info }).reasoning).toEqual(expected)
  })

  it("is the server's own word for it", () => {
    const quirks: Quirks = { reasoningEffort: { xhigh: 'high' } }
    expect(body({ thinking: 'xhigh' }, quirks).reasoning).toEqual({ effort: 'high', summary })
  })
})

describe('the input of a request', () => {
  it('holds images, PDF files and texts', () => {
    expect(sent(user(text('look'), image, pdf, note))).toEqual([
      asked(textPart('look'), imagePart, pdfPart, textPart('a note')),
    ])
  })

  it('holds notes for unsupported media, also in results', () => {
    const messages = [user(text('look'), image), assistant(call('a')), toolResult('a', image, pdf, note)]
    expect(body({ messages, info: known({ images: false, documents: false }) }).input).toEqual([
      asked(textPart('look'), textPart('(an image, which this model cannot see)')),
      wireCall('a'),
      result(
        'a',
        '(an image, which this model cannot see)\n\n(the document a.pdf, which this model cannot read)\n\na note',
      ),
    ])
  })

  it('holds calls and their results', () => {
    const messages = [user(text('hi')), assistant(text('Look.'), call('a')), toolResult('a', text('42'))]
    expect(sent(...messages)).toEqual([asked(textPart('hi')), answered('Look.'), wireCall('a'), result('a')])
  })

  it('holds the images and files of a result in the result', () => {
    const calls = assistant(call('a'), call('b'))
    const results = [toolResult('a', text('here'), image, pdf), toolResult('b', text(''))]
    expect(sent(user(text('hi')), calls, ...results)).toEqual([
      asked(textPart('hi')),
      wireCall('a'),
      wireCall('b'),
      result('a', [textPart('here'), imagePart, pdfPart]),
      result('b', '(no output)'),
    ])
  })

  it('leaves out empty messages, and thinking that no server wrote', () => {
    const thinking: ContentBlock = { type: 'thinking', thinking: 'Hm.' }
    expect(sent(user(text('a')), assistant(thinking), user(text('')), assistant(text('')))).toEqual([
      asked(textPart('a')),
    ])
  })

  it('gives a cut call valid JSON as arguments', () => {
    const cut = { ...call('a'), arguments: null, argumentsRaw: '{"pa' }
    expect(sent(user(text('a')), assistant(cut), toolResult('a', text('cut')))).toEqual([
      asked(textPart('a')),
      wireCall('a', '{}'),
      result('a', 'cut'),
    ])
  })

  it('makes foreign ids acceptable, stable and equal for call and result', () => {
    const long = `toolu_${'x'.repeat(90)}`
    const calls = assistant(call(long), call('call_0'))
    const messages = [user(text('a')), calls, toolResult(long, text('1')), toolResult('call_0', text('2'))]
    const again = [assistant(call('call_0')), toolResult('call_0', text('3'))]
    expect(sent(...messages, ...again)).toEqual([
      asked(textPart('a')),
      wireCall('call_0'),
      wireCall('call_1'),
      result('call_0', '1'),
      result('call_1', '2'),
      wireCall('call_2'),
      result('call_2', '3'),
    ])
    expect(sent(...messages, ...again)).toEqual(sent(...messages, ...again))
  })

  sizedIt('is accepted by a real server for any history', async () => {
    const data = (item: object) => ({ provider: 'openai', data: { model: 'm-1', item: { ...item } } })
    const own = (type: string, fields: object = {}) =>
      fc.option(
        fc.uuid().map((id) => data({ id, type, ...fields })),
        { nil: undefined },
      )
    const keeping = (block: ContentBlock, kept: fc.Arbitrary<ReturnType<typeof data> | undefined>) =>
      kept.map((providerData) => (providerData === undefined ? block : { ...block, providerData }))
    const reasoning = fc.oneof(
      own('reasoning', { summary: [], encrypted_content: 'gA' }),
      own('reasoning', { summary: [] }),
    )
    const said = fc.oneof(
      keeping(text('a'), own('message', { role: 'assistant' })),
      keeping({ type: 'thinking', thinking: 'Hm.' }, reasoning),
    )
    const called = fc.uniqueArray(fc.oneof(fc.constantFrom('call_0', 'a b'), fc.string({ minLength: 1 })), {
      maxLength: 3,
    })
    const shown = fc.array(fc.constantFrom<ContentBlock>(text('a'), text(''), image, pdf, note))
    const round = fc
      .tuple(shown, fc.array(said), called, own('function_call'), shown)
      .map(([asked, said, ids, kept, shown]): Message[] => [
        user(...asked),
        assistant(
          ...said,
          ...ids.map((id, i) => (i === 0 && kept ? { ...call(id), providerData: kept } : call(id))),
        ),
        ...ids.map((id) => toolResult(id, ...shown)),
      ])
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: 4 }), async (rounds) => {
        sent(...rounds.flat(), user(text('go on')))
      }),
      { numRuns: sized(200, 40) },
    )
  })
})
