import { describe, expect, it } from 'vitest'
import { text } from '../support/messages/messages.ts'
import { ask, failure } from '../support/models/asking.ts'
import { event, partEvent } from '../support/vendors/gemini-sse.ts'
import { gemini, read } from './playback.ts'

const stop = event({ candidates: [{ finishReason: 'STOP' }] })
const kept = (data: object) => ({ provider: 'gemini', data: { model: 'asked', ...data } })
const called = (id: unknown, name: string, args: object) => ({ type: 'tool_call', id, name, arguments: args })
const madeUp = expect.stringMatching(/^tool_.{12}$/)

/** The content of a reply with one event per part. */
const content = async (...parts: readonly object[]) =>
  (await read(parts.map((part) => partEvent(part)).join('') + stop)).content

describe('the content of a reply', () => {
  it('has one block for each run of thinking or text', async () => {
    const bytes = [
      { text: 'H', thought: true },
      { text: 'm.', thought: true },
      { text: '' },
      { text: 'A' },
      { text: 'b.' },
      { text: 'So.', thought: true },
      { text: 'C.' },
    ]
    expect(await content(...bytes)).toEqual([
      { type: 'thinking', thinking: 'Hm.' },
      text('Ab.'),
      { type: 'thinking', thinking: 'So.' },
      text('C.'),
    ])
  })

  it('is that of the first candidate by number', async () => {
    const other = partEvent({ text: 'other' }, { index: 1, finishReason: 'MAX_TOKENS' })
    expect(await read(partEvent({ text: 'one' }) + other + stop)).toMatchObject({
      content: [text('one')],
      stopReason: 'end_turn',
    })
  })

  it('leaves out unknown parts and those of server-side tools', async () => {
    const parts = [
      { executableCode: { language: 'PYTHON', code: '1' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      { inlineData: { mimeType: 'image/png', data: 'iVBO' } },
      { somethingNew: 1 },
      { functionCall: {} },
      { text: 'a' },
    ]
    const odd = event({ somethingNew: 1 }) + event({ candidates: [null, 1] }) + event({ candidates: [] })
    expect((await read(odd + parts.map((part) => partEvent(part)).join('') + stop)).content).toEqual([
      text('a'),
    ])
  })

  it('may come in one piece, as a list or as one object', async () => {
    const chunk = { candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }] }
    for (const body of [[chunk], chunk])
      expect(await read(JSON.stringify(body))).toMatchObject({ content: [text('a')], stopReason: 'end_turn' })
  })
})

describe('the calls of a reply', () => {
  it('are complete, even several at once, and get missing ids', async () => {
    const parts = [
      { functionCall: { name: 'read', args: { p: 1 }, id: 'a' } },
      { functionCall: { name: 'read', args: null, id: 'a' } },
      { functionCall: { name: 'read' } },
    ]
    const together = event({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })
    expect(await read(together)).toMatchObject({
      content: [called('a', 'read', { p: 1 }), called(madeUp, 'read', {}), called(madeUp, 'read', {})],
      stopReason: 'tool_use',
      rawStopReason: 'STOP',
    })
  })

  it('may receive arguments value by value, with texts in pieces', async () => {
    const parts = [
      { name: 'edit', willContinue: true },
      { partialArgs: [{ jsonPath: '$.path', stringValue: 'a', willContinue: true }], willContinue: true },
      { partialArgs: [{ jsonPath: '$.path', stringValue: 'b' }], willContinue: true },
      {
        partialArgs: [
          { jsonPath: '$.edits[0].line', numberValue: 3 },
          { jsonPath: "$.edits[0]['new text']", stringValue: '' },
          { jsonPath: '$.edits[1]["__proto__"]', boolValue: true },
          { jsonPath: '$.rows[0][1]', nullValue: 'NULL_VALUE' },
          { jsonPath: '$', stringValue: 'no place' },
          { jsonPath: '$.none' },
        ],
        willContinue: true,
      },
      {},
      { name: 'read', args: { p: 1 } },
    ]
    const edits = [{ line: 3, 'new text': '' }, JSON.parse('{"__proto__":true}')]
    const [first, second] = await content(...parts.map((functionCall) => ({ functionCall })))
    expect(JSON.stringify(first)).toContain('"__proto__":true')
    expect([first, second]).toEqual([
      called(madeUp, 'edit', { path: 'ab', edits, rows: [[null]] }),
      called(madeUp, 'read', { p: 1 }),
    ])
  })

  it('end when the next begins, and are cut if the reply ends within one', async () => {
    const value = (jsonPath: string) => ({
      partialArgs: [{ jsonPath, stringValue: 'x' }],
      willContinue: true,
    })
    const parts = [{ name: 'a', willContinue: true }, value('$.p'), { name: 'b', ...value('$.q') }].map(
      (functionCall) => partEvent({ functionCall }),
    )
    const bytes = `${parts.join('')}${event({ candidates: [{ finishReason: 'MAX_TOKENS' }] })}`
    expect(await read(bytes)).toMatchObject({
      content: [called(madeUp, 'a', { p: 'x' }), { name: 'b', arguments: null, argumentsRaw: '{"q":"x"' }],
      stopReason: 'length',
    })
  })
})

describe('a signature', () => {
  it('stays with its call', async () => {
    const functionCall = { name: 'read', args: {}, id: 'a' }
    expect(await content({ functionCall, thoughtSignature: 'c2ln' }, { functionCall })).toEqual([
      { ...called('a', 'read', {}), providerData: kept({ thoughtSignature: 'c2ln' }) },
      called(madeUp, 'read', {}),
    ])
  })

  it('stays with its part of a text without splitting the block', async () => {
    const parts = [
      { text: 'a' },
      { text: 'b' },
      { text: 'cd', thoughtSignature: 'c2ln' },
      { text: 'e' },
      { text: '', thoughtSignature: 'bGFzdA==' },
    ]
    const pieces = [
      { length: 2 },
      { length: 2, thoughtSignature: 'c2ln' },
      { length: 1 },
      { length: 0, thoughtSignature: 'bGFzdA==' },
    ]
    expect(await content(...parts)).toEqual([{ ...text('abcde'), providerData: kept({ pieces }) }])
  })

  it('stays with its part of the thinking', async () => {
    const pieces = [{ length: 3, thoughtSignature: 'c2ln' }]
    expect(await content({ text: 'Hm.', thought: true, thoughtSignature: 'c2ln' }, { text: 'a' })).toEqual([
      { type: 'thinking', thinking: 'Hm.', providerData: kept({ pieces }) },
      text('a'),
    ])
  })

  it.each([
    ['an empty text', { text: '', thoughtSignature: 'c2ln' }],
    ['nothing', { thoughtSignature: 'c2ln' }],
    ['a part that is not shown', { executableCode: { code: '1' }, thoughtSignature: 'c2ln' }],
  ])('of %s has its own block in its place', async (_, part) => {
    const functionCall = { name: 'read', args: {}, id: 'a' }
    expect(await content({ functionCall }, part, { text: 'a' })).toEqual([
      called('a', 'read', {}),
      { type: 'thinking', thinking: '', providerData: kept({ part }) },
      text('a'),
    ])
  })

  it('belongs to the model by its name without the path', async () => {
    const bytes = partEvent({ text: 'a', thoughtSignature: 'c2ln' }) + stop
    expect((await ask(gemini({ bytes }), { model: 'models/asked' })).content).toMatchObject([
      { providerData: { data: { model: 'asked' } } },
    ])
  })
})

describe('the stop reason', () => {
  it.each([
    ['STOP', 'end_turn'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'refusal'],
    ['RECITATION', 'refusal'],
    ['BLOCKLIST', 'refusal'],
    ['PROHIBITED_CONTENT', 'refusal'],
    ['SPII', 'refusal'],
    ['IMAGE_SAFETY', 'refusal'],
    ['OTHER', 'unknown'],
    ['SOMETHING_NEW', 'unknown'],
  ])('%s is %s', async (finishReason, stopReason) => {
    expect(await read(partEvent({ text: 'a' }, { finishReason }))).toMatchObject({
      stopReason,
      rawStopReason: finishReason,
      responseId: 'resp-1',
      model: 'fake-1',
    })
  })

  it.each([
    [
      'MALFORMED_FUNCTION_CALL',
      'Malformed function call: print(',
      'MALFORMED_FUNCTION_CALL: Malformed function call: print(',
    ],
    [
      'MALFORMED_FUNCTION_CALL',
      'print(write("the context window is too small: invalid request, wait 900s"))',
      'MALFORMED_FUNCTION_CALL: print(write("the context window is too small: invalid request, wait 900s"))',
    ],
    ['UNEXPECTED_TOOL_CALL', '', 'UNEXPECTED_TOOL_CALL'],
    ['MISSING_THOUGHT_SIGNATURE', '', 'MISSING_THOUGHT_SIGNATURE'],
  ])('%s with %j is an error that may pass', async (finishReason, finishMessage, words) => {
    const bytes = partEvent({ text: 'a' }, { finishReason, finishMessage })
    const error = await failure(gemini({ bytes }))
    expect(error).toMatchObject({ code: 'overloaded', message: `gemini failed: ${words}` })
    expect(error).toHaveProperty('details', {})
  })

  it('may come with each part; the last one counts', async () => {
    const bytes = [
      partEvent({ text: 'a' }, { finishReason: 'STOP' }),
      partEvent({ text: 'b' }, { finishReason: 'MAX_TOKENS' }),
      event({ usageMetadata: { promptTokenCount: 2 } }),
    ]
    expect(await read(bytes.join(''))).toMatchObject({
      content: [text('ab')],
      stopReason: 'length',
      usage: { inputTokens: 2 },
    })
  })

  it('is a refusal for a blocked prompt without an answer', async () => {
    const usageMetadata = { promptTokenCount: 4, totalTokenCount: 4 }
    expect(await read(event({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata }))).toMatchObject({
      content: [],
      stopReason: 'refusal',
      rawStopReason: 'SAFETY',
      usage: { inputTokens: 4, outputTokens: 0 },
    })
  })
})

describe('the usage', () => {
  it('counts thoughts as output and tool results as input; the last one counts', async () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 80,
      toolUsePromptTokenCount: 7,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 20,
      totalTokenCount: 132,
    }
    const first = event({ usageMetadata: { promptTokenCount: 1, trafficType: 'ON_DEMAND' } })
    expect((await read(first + event({ usageMetadata }) + stop)).usage).toEqual({
      inputTokens: 107,
      outputTokens: 25,
      cacheReadTokens: 80,
      reasoningTokens: 20,
      raw: usageMetadata,
    })
  })

  it('is undefined without numbers', async () => {
    expect((await read(stop)).usage).toEqual({ inputTokens: 0, outputTokens: 0 })
  })
})
