import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { HttpRequest } from '../../src/machine/transport.ts'
import type { AssistantMessage, ContentBlock, Message, ThinkingBlock } from '../../src/message.ts'
import type { ThinkingLevel } from '../../src/provider.ts'
import { read } from '../support/conversations/read-tool.ts'
import { assistant, call, image, note, pdf, text, toolResult, user } from '../support/messages/messages.ts'
import { goOn } from '../support/models/asking.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'
import { body, cache_control, model, spoken } from './body.ts'
import { block, claude, end, start } from './playback.ts'

/** The messages as sent, without cache breakpoints. */
function sent(...messages: readonly Message[]): unknown {
  return JSON.parse(JSON.stringify(body({ messages }).messages), (key, value) =>
    key === 'cache_control' ? undefined : value,
  )
}

const thought: ThinkingBlock = { type: 'thinking', thinking: 'Hm.', signature: 'EqQ+/=' }
const hidden: ThinkingBlock = { type: 'thinking', thinking: '', signature: 'Emw', redacted: true }
const wireImage = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
const wireCall = (id: string, input: object = { path: 'auth.ts' }) => ({
  type: 'tool_use',
  id,
  name: 'read',
  input,
})
const wireResult = (id: string, words: string) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [text(words)],
})
const asked = { role: 'user', content: [text('hi')] }

quickDescribe('the body of a request', () => {
  it('holds all options of the request', () => {
    expect(
      body({
        systemPrompt: 'Be brief.',
        maxTokens: 100,
        temperature: 0.5,
        tools: [read, { ...read, name: 'b' }],
      }),
    ).toEqual({
      model,
      max_tokens: 100,
      stream: true,
      system: [{ type: 'text', text: 'Be brief.', cache_control }],
      tools: [
        { name: 'read', description: 'Reads a file.', input_schema: read.parameters },
        { name: 'b', description: 'Reads a file.', input_schema: read.parameters, cache_control },
      ],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hello', cache_control }] }],
      temperature: 0.5,
    })
  })

  it('holds nothing else except the required limit', () => {
    const least = {
      model,
      max_tokens: 32_000,
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hello', cache_control }] }],
    }
    expect(body({})).toEqual(least)
    expect(body({ thinking: 'off' })).toEqual(least)
  })
})

describe('the messages of a request', () => {
  it('hold images, PDF files and texts', () => {
    expect(sent(user(text('look'), image, pdf, note))).toEqual([
      {
        role: 'user',
        content: [
          text('look'),
          wireImage,
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
            title: 'a.pdf',
          },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a note' } },
        ],
      },
    ])
  })

  it('hold a note for an image that cannot be shown', () => {
    expect(sent(user(text('look'), { ...image, mimeType: 'image/bmp' }))).toMatchObject([
      { content: [text('look'), { type: 'text', text: expect.stringContaining('image/bmp') }] },
    ])
  })

  it('hold calls, and their results first in the message after them', () => {
    const failed = { ...toolResult('b', text('no such file')), isError: true }
    const messages = [
      user(text('hi')),
      assistant(text('I look.'), call('a'), call('b')),
      toolResult('a', text('42'), image),
      failed,
      user(text('and?')),
    ]
    expect(sent(...messages)).toEqual([
      asked,
      { role: 'assistant', content: [text('I look.'), wireCall('a'), wireCall('b')] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [text('42'), wireImage] },
          { ...wireResult('b', 'no such file'), is_error: true },
          text('and?'),
        ],
      },
    ])
  })

  it('hold empty results, and failed ones with an image', () => {
    const failed = { ...toolResult('b', text('no'), image), isError: true }
    const messages = [user(text('hi')), assistant(call('a'), call('b')), toolResult('a', text(' ')), failed]
    expect(sent(...messages)).toMatchObject([
      {},
      {},
      {
        content: [
          { type: 'tool_result', tool_use_id: 'a' },
          { type: 'tool_result', tool_use_id: 'b', content: [text('no'), wireImage] },
        ],
      },
    ])
  })

  it('join adjacent messages of one role and leave out blank ones', () => {
    expect(
      sent(
        user(text('hi')),
        assistant(text('')),
        user(text('\n'), text('b')),
        assistant(text('c')),
        assistant(text('d')),
        user(text('e')),
      ),
    ).toEqual([
      { role: 'user', content: [text('hi'), text('b')] },
      { role: 'assistant', content: [text('c'), text('d')] },
      { role: 'user', content: [text('e')] },
    ])
  })

  it('send thinking back unchanged to its own provider', () => {
    const messages = (answer: AssistantMessage) => [user(text('hi')), answer, user(text('c'))]
    const own = { type: 'thinking', thinking: 'Hm.', signature: 'EqQ+/=' }
    expect(sent(...messages(spoken(thought, hidden, text('b'))))).toMatchObject([
      {},
      { content: [own, { type: 'redacted_thinking', data: 'Emw' }, text('b')] },
      {},
    ])
    expect(sent(...messages(assistant(thought, hidden, text('b'))))).toMatchObject([
      {},
      { content: [text('b')] },
      {},
    ])
  })

  it('leave out cut thinking: without a signature, or at the end', () => {
    const unsigned: ThinkingBlock = { type: 'thinking', thinking: 'Hm' }
    expect(sent(user(text('hi')), spoken(unsigned, text('b')), user(text('c')))).toMatchObject([
      {},
      { content: [text('b')] },
      {},
    ])
    expect(sent(user(text('hi')), spoken(thought), user(text('c')))).toEqual([
      { role: 'user', content: [text('hi'), text('c')] },
    ])
  })

  it('send back thinking of a model that never signs it', async () => {
    const think = block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'Hm.' })
    const use = block(1, { type: 'tool_use', id: 'a', name: 'read', input: {} })
    const requests: HttpRequest[] = []
    const provider = claude({ bytes: start + think + use + end('tool_use') }, { sent: requests })
    const history: Message[] = [user(text('hi'))]
    const options = { model: 'other-1', tools: [read], thinking: 'high' } as const
    for (let round = 0; round < 2; round++) await goOn(provider, history, options)
    const [, second] = requests.map(({ body }) => JSON.parse(String(body)))
    expect(second).toMatchObject({ thinking: { type: 'enabled' } })
    expect(second.messages[1].content).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      wireCall('a', {}),
    ])
  })

  it('give a cut call an empty object', () => {
    const cut = { ...call('a'), arguments: null, argumentsRaw: '{"pa' }
    const odd = { ...call('b'), arguments: [1] }
    const results = [toolResult('a', text('cut')), toolResult('b', text('odd'))]
    expect(sent(user(text('hi')), assistant(cut, odd), ...results)).toMatchObject([
      {},
      { content: [wireCall('a', {}), wireCall('b', {})] },
      {},
    ])
  })

  it('make foreign ids acceptable, even if each reply reuses one', () => {
    const round = [
      assistant(call('call_0'), call('a|b')),
      toolResult('a|b', text('2')),
      toolResult('call_0', text('1')),
    ]
    expect(sent(user(text('hi')), ...round, ...round)).toEqual([
      asked,
      { role: 'assistant', content: [wireCall('call_0'), wireCall('call_1')] },
      { role: 'user', content: [wireResult('call_1', '2'), wireResult('call_0', '1')] },
      { role: 'assistant', content: [wireCall('call_2'), wireCall('call_3')] },
      { role: 'user', content: [wireResult('call_3', '2'), wireResult('call_2', '1')] },
    ])
  })

  sizedIt('are accepted by the real server for any history', () => {
    const id = fc.oneof(fc.constantFrom('call_0', 'call_1'), fc.string({ minLength: 1 }))
    const block = fc.constantFrom<ContentBlock>(text('a'), text(' '), image)
    const said = fc.constantFrom<ContentBlock>(text('a'), text(''), thought, hidden, {
      type: 'thinking',
      thinking: 'H',
    })
    const level = fc.constantFrom<ThinkingLevel>('off', 'low', 'xhigh')
    const round = fc
      .tuple(
        fc.array(block),
        fc.array(said),
        fc.uniqueArray(id, { maxLength: 3 }),
        fc.array(block),
        fc.boolean(),
      )
      .map(([asked, answered, ids, result, own]): Message[] => [
        user(text('q'), ...asked),
        (own ? spoken : assistant)(...answered, ...ids.map((id) => call(id))),
        ...ids.map((id) => ({ ...toolResult(id, ...result), isError: own })),
      ])
    fc.assert(
      fc.property(fc.array(round), level, (rounds, thinking) => {
        body({ messages: [...rounds.flat(), user(text('go on'))], thinking })
        const acting = rounds.findLastIndex((messages) => messages.at(-1)?.type === 'tool_result')
        if (acting >= 0) body({ messages: rounds.slice(0, acting + 1).flat(), thinking })
      }),
      { numRuns: sized(200, 40) },
    )
  })
})
