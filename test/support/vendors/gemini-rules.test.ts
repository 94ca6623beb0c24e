import { describe, expect, it } from 'vitest'
import { checkGeminiBody } from './gemini-rules.ts'

const text = (words: string) => ({ text: words })
const call = (id: string, more: object = {}) => ({ functionCall: { id, name: 'read', args: {} }, ...more })
const result = (id: string) => ({ functionResponse: { id, name: 'read', response: { output: '42' } } })
const user = (...parts: readonly object[]) => ({ role: 'user', parts })
const model = (...parts: readonly object[]) => ({ role: 'model', parts })
const body = (...contents: readonly object[]) => ({ contents })
const hi = user(text('hi'))
const signed = { thoughtSignature: 'c2ln' }
const tools = (parameters: object) => ({
  ...body(hi),
  tools: [{ functionDeclarations: [{ name: 'read', description: '', parameters }] }],
})
const having = (schema: object) => tools({ type: 'OBJECT', properties: { x: schema } })

describe('the rules of the fake server for Gemini', () => {
  it('allow a conversation', () => {
    const turn = [model(text('a'), call('a', signed), call('b')), user(result('a'), result('b'), text('so'))]
    const good = {
      ...having({
        anyOf: [
          { type: 'STRING', enum: ['a'] },
          { type: 'ARRAY', items: { type: 'NUMBER' } },
        ],
      }),
      contents: [hi, ...turn, model({ text: '', ...signed }), user(text('go on'))],
      systemInstruction: { parts: [text('Be brief.')] },
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read'] } },
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } },
    }
    expect(checkGeminiBody(good, '/models/gemini-3-pro')).toEqual({ body: good })
  })

  it.each<[string, object]>([
    ['no contents', body()],
    ['an unknown field', { ...body(hi), model: 'm' }],
    ['empty text', body(user(text('')))],
    ['a content without parts', body(user())],
    ['a model that begins', body(model(text('a')), hi)],
    ['a model that has the last word', body(hi, model(text('a')))],
    ['two contents of one role', body(hi, hi)],
    ['a signature that is no base64', body(hi, model({ text: 'a', thoughtSignature: '{}' }), hi)],
    [
      'arguments that are no object',
      body(hi, model({ functionCall: { name: 'read', args: [] } }), user(result('a'))),
    ],
    ['a call without its result', body(hi, model(call('a')), hi)],
    ['a result without its call', body(hi, model(text('a')), user(result('a')))],
    ['results in another order', body(hi, model(call('a'), call('b')), user(result('b'), result('a')))],
    ['a result after text', body(hi, model(call('a')), user(text('so'), result('a')))],
    ['two calls with one id', body(hi, model(call('a'), call('a')), user(result('a'), result('a')))],
    ['a function without properties', tools({ type: 'OBJECT' })],
    ['an object of nothing', having({ type: 'OBJECT', properties: {} })],
    ['a schema without a type', having({ description: 'any' })],
    ['a type in small letters', having({ type: 'string' })],
    ['a list of types', having({ type: ['STRING', 'NUMBER'] })],
    ['a list of nothing', having({ type: 'ARRAY' })],
    ['something beside anyOf', having({ anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }], description: 'd' })],
    ['numbers to choose from', having({ type: 'NUMBER', enum: [1] })],
    ['a reference', having({ $ref: '#/$defs/a' })],
    [
      'a required property that is not defined',
      tools({ type: 'OBJECT', properties: { x: { type: 'STRING' } }, required: ['y'] }),
    ],
    [
      'two ways to think',
      {
        ...body(hi),
        generationConfig: {
          thinkingConfig: { includeThoughts: true, thinkingLevel: 'low', thinkingBudget: 1 },
        },
      },
    ],
    [
      'allowed names in a mode that allows all',
      { ...body(hi), toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['a'] } } },
    ],
  ])('reject %s', (_, value) => {
    expect(checkGeminiBody(value)).toEqual({ violation: expect.any(String) })
  })

  it('require a signature on the first call of each step of the current turn from version 3 on', () => {
    const step = [model(call('a')), user(result('a'))]
    const old = body(hi, ...step, model(text('a')), user(text('go on')))
    expect(checkGeminiBody(body(hi, ...step), '/models/gemini-2.5-pro')).toHaveProperty('body')
    expect(checkGeminiBody(body(hi, ...step), '/models/gemini-3-pro')).toHaveProperty('violation')
    expect(checkGeminiBody(old, '/models/gemini-3-pro')).toHaveProperty('body')
  })
})
