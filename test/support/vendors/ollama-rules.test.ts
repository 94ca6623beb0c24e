import { describe, expect, it } from 'vitest'
import { checkOllamaBody } from './ollama-rules.ts'

const hi = { role: 'user', content: 'hi' }
const use = (id: string, fields: object = {}) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, function: { name: 'read', arguments: {}, ...fields } }],
})
const result = (id: string, name = 'read') => ({
  role: 'tool',
  content: '42',
  tool_name: name,
  tool_call_id: id,
})
const body = (...messages: readonly object[]) => ({
  model: 'm',
  stream: true,
  truncate: false,
  shift: false,
  options: { num_ctx: 8192 },
  messages,
})
const tool = (parameters: object) => ({
  tools: [{ type: 'function', function: { name: 'read', description: '', parameters } }],
})

describe("the rules of the fake server for Ollama's own API", () => {
  it('allow a conversation', () => {
    const good = {
      ...body({ role: 'system', content: 'Hi' }, { ...hi, images: ['AAAA'] }, use('a'), result('a'), hi),
      ...tool({ type: 'object', properties: { path: { type: ['string', 'null'] } } }),
      think: true,
    }
    expect(checkOllamaBody(good)).toEqual({ body: good })
  })

  it.each<[string, object]>([
    ['no messages', body()],
    ['a prompt that may be cut off', { ...body(hi), truncate: true }],
    ['no size of the memory', { ...body(hi), options: {} }],
    ['an unknown field', { ...body(hi), max_tokens: 5 }],
    ['an empty message', body({ ...hi, content: '' })],
    ['an image that is no base64', body({ ...hi, images: ['data:image/png;base64,AAAA'] })],
    ['two messages of one role', body(hi, hi)],
    ['a system prompt that comes late', body(hi, { role: 'system', content: 'Hi' }, hi)],
    ['arguments as text', body(hi, use('a', { arguments: '{}' }), result('a'))],
    ['a call without a result', body(hi, use('a'), hi)],
    ['a result without a call', body(hi, result('a'))],
    ['a result of another tool', body(hi, use('a'), result('a', 'write'))],
    ['an assistant who has the last word', body(hi, { role: 'assistant', content: 'a' })],
    ['a schema that is no object', { ...body(hi), ...tool({ type: 'object', properties: { a: true } }) }],
    ['a level of thinking for a model that knows none', { ...body(hi), think: 'high' }],
  ])('reject %s', (_, value) => {
    expect(checkOllamaBody(value)).toEqual({ violation: expect.any(String) })
  })
})
