import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type GeminiBody, geminiBody } from '../../src/google/request.ts'
import type { JsonObject } from '../../src/json-value.ts'
import type { ContentBlock, DocumentBlock, ImageBlock, Message } from '../../src/message.ts'
import type { Request } from '../../src/provider.ts'
import { assistant, call, image, note, pdf, text, toolResult, user } from '../support/messages/messages.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'
import { body, model, said } from './body.ts'

function sent(...messages: readonly Message[]): GeminiBody['contents'] {
  return body({ messages }).contents
}

/** A block with a signature of our own provider and model. */
function proven<Block extends ContentBlock>(block: Block, data: JsonObject): Block {
  return { ...block, providerData: { provider: 'gemini', data: { model, ...data } } }
}

const spoken = (...parts: readonly object[]) => ({ role: 'model', parts })
const wireCall = (id: string, args: object = { path: 'auth.ts' }) => ({
  functionCall: { id, name: 'read', args },
})
const wireResult = (id: string, response: object) => ({ functionResponse: { id, name: 'read', response } })

const wireImage = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
const wirePdf = { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } }
const hi = said({ text: 'hi' })

describe('the contents of a request', () => {
  it('hold images, PDF files and texts', () => {
    expect(sent(user(text('look'), image, pdf, note))).toEqual([
      said({ text: 'look' }, wireImage, wirePdf, { text: 'a note' }),
    ])
  })

  it('hold notes for types that the server or the model cannot read', () => {
    const gif: ImageBlock = { ...image, mimeType: 'image/gif' }
    const zip: DocumentBlock = { ...pdf, mimeType: 'application/zip' }
    expect(sent(user(gif, zip))).toEqual([
      said(
        { text: '(an image of the type image/gif, which cannot be shown)' },
        { text: '(a document of the type application/zip, which cannot be shown)' },
      ),
    ])
    const info = { provider: 'gemini', id: model, images: false }
    expect(body({ messages: [user(text('look'), image, pdf)], info }).contents).toEqual([
      said({ text: 'look' }, { text: '(an image, which this model cannot see)' }, wirePdf),
    ])
  })

  it('hold the results of a round in the order of its calls, then their media, then the message', () => {
    const messages = [
      user(text('hi')),
      assistant(text('I look.'), call('a'), call('b'), call('c')),
      toolResult('c', image),
      { ...toolResult('b', text('no such file'), text('at all')), isError: true },
      toolResult('a', text('42'), pdf),
      user(text('and?')),
    ]
    expect(sent(...messages)).toEqual([
      hi,
      spoken({ text: 'I look.' }, wireCall('a'), wireCall('b'), wireCall('c')),
      said(
        wireResult('a', { output: '42' }),
        wireResult('b', { error: 'no such file\n\nat all' }),
        wireResult('c', { output: '(the result follows)' }),
        wirePdf,
        wireImage,
        { text: 'and?' },
      ),
    ])
  })

  it('join adjacent contents of one role and leave out empty ones', () => {
    expect(
      sent(
        user(text('hi')),
        assistant(text('')),
        user(text(''), text('b')),
        assistant(text('c')),
        assistant({ type: 'thinking', thinking: 'Hm.' }, text('d')),
        user(text('e')),
      ),
    ).toEqual([
      said({ text: 'hi' }, { text: 'b' }),
      spoken({ text: 'c' }, { text: 'd' }),
      said({ text: 'e' }),
    ])
  })

  it('begin with the user', () => {
    const opening = said({ text: '(the conversation continues)' })
    expect(sent(assistant(text('a')), user(text('b')))).toEqual([
      opening,
      spoken({ text: 'a' }),
      said({ text: 'b' }),
    ])
    expect(sent(user(text('')))).toEqual([opening])
  })

  it('give a cut call an empty object', () => {
    const cut = { ...call('a'), arguments: null, argumentsRaw: '{"pa' }
    const odd = { ...call('b'), arguments: [1] }
    expect(
      sent(user(text('hi')), assistant(cut, odd), toolResult('a', text('1')), toolResult('b', text('2')))[1],
    ).toEqual(spoken(wireCall('a', {}), wireCall('b', {})))
  })

  it('give each call its own id, including foreign ones', () => {
    const round = [
      assistant(call('call_0'), call('a|b')),
      toolResult('a|b', text('2')),
      toolResult('call_0', text('1')),
    ]
    const results = (...ids: readonly [string, string]) =>
      said(wireResult(ids[0], { output: '1' }), wireResult(ids[1], { output: '2' }))
    expect(sent(user(text('hi')), ...round, ...round)).toEqual([
      hi,
      spoken(wireCall('call_0'), wireCall('call_1')),
      results('call_0', 'call_1'),
      spoken(wireCall('call_2'), wireCall('call_3')),
      results('call_2', 'call_3'),
    ])
  })

  sizedIt('are accepted by the real server for any history', () => {
    const id = fc.oneof(fc.constantFrom('call_0', 'call_1'), fc.string({ minLength: 1 }))
    const shown = fc.constantFrom<ContentBlock>(text('a'), text(''), image, note)
    const answered = fc.constantFrom<ContentBlock>(
      text('a'),
      text(''),
      { type: 'thinking', thinking: 'H' },
      proven({ type: 'thinking', thinking: '' }, { part: { text: '', thoughtSignature: 'c2ln' } }),
      proven(text('ab'), { pieces: [{ length: 1, thoughtSignature: 'c2ln' }, { length: 1 }] }),
    )
    const round = fc
      .tuple(fc.array(shown), fc.array(answered), fc.uniqueArray(id, { maxLength: 3 }), fc.array(shown))
      .map(([asked, spoken, ids, result]): Message[] => [
        user(text('q'), ...asked),
        assistant(...spoken, ...ids.map((id) => call(id))),
        ...ids.toReversed().map((id) => toolResult(id, ...result)),
      ])
    fc.assert(
      fc.property(fc.array(round), fc.constantFrom(model, 'gemini-3-pro'), (rounds, model) => {
        body({ model, messages: [...rounds.flat(), user(text('go on'))] })
        const acting = rounds.findLastIndex((messages) => messages.at(-1)?.type === 'tool_result')
        if (acting >= 0) body({ model, messages: rounds.slice(0, acting + 1).flat() })
      }),
      { numRuns: sized(150, 30) },
    )
  })
})

quickDescribe('signatures', () => {
  const signed = [
    proven({ type: 'thinking', thinking: 'Hm.' } as const, {
      pieces: [{ length: 2 }, { length: 1, thoughtSignature: 'dGg=' }],
    }),
    proven(text('abc'), { pieces: [{ length: 1, thoughtSignature: 'dHg=' }, { length: 2 }] }),
    proven({ type: 'thinking', thinking: '' } as const, { part: { text: '', thoughtSignature: 'ZW1w' } }),
    proven(call('a'), { thoughtSignature: 'Y2Fs' }),
    call('b'),
  ]
  const history = (content: readonly ContentBlock[]) => [
    user(text('hi')),
    assistant(...content),
    toolResult('a', text('1')),
    toolResult('b', text('2')),
  ]
  const spokenBy = (request: Partial<Request>) => body({ messages: history(signed), ...request }).contents[1]
  const bare = spoken({ text: 'abc' }, wireCall('a'), wireCall('b'))

  it('go back on their own parts', () => {
    const whole = spoken(
      { text: 'Hm', thought: true },
      { text: '.', thought: true, thoughtSignature: 'dGg=' },
      { text: 'a', thoughtSignature: 'dHg=' },
      { text: 'bc' },
      { text: '', thoughtSignature: 'ZW1w' },
      { ...wireCall('a'), thoughtSignature: 'Y2Fs' },
      wireCall('b'),
    )
    expect(spokenBy({})).toEqual(whole)
    expect(spokenBy({ model: `models/${model}` })).toEqual(whole)
  })

  it('go to no other model and no other provider', () => {
    expect(spokenBy({ model: 'gemini-2.5-pro' })).toEqual(bare)
    const whole = { model, systemPrompt: '', messages: history(signed), tools: [] }
    expect(geminiBody(whole, 'vertex').contents[1]).toEqual(bare)
  })

  it('are left out of a changed text', () => {
    const changed = proven(text('abcd'), { pieces: [{ length: 1, thoughtSignature: 'dHg=' }, { length: 2 }] })
    expect(sent(user(text('hi')), assistant(changed), user(text('b')))[1]).toEqual(spoken({ text: 'abcd' }))
  })

  it('are replaced by a placeholder for another model’s only where a step needs one', () => {
    const standIn = 'skip_thought_signature_validator'
    for (const model of ['gemini-3-pro-preview', 'models/gemini-3.5-flash'])
      expect(spokenBy({ model })).toEqual(
        spoken({ text: 'abc' }, { ...wireCall('a'), thoughtSignature: standIn }, wireCall('b')),
      )
  })
})
