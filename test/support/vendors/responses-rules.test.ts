import { describe, expect, it } from 'vitest'
import { checkResponsesBody } from './responses-rules.ts'

const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const said = { type: 'message', role: 'assistant', content: 'Yes.' }
const written = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
}
const thought = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gA' }
const call = { id: 'fc_1', type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'a', output: '42' }
const body = (...input: readonly object[]) => ({ model: 'm', stream: true, store: false, input })
const hi = body(user('hi'))
const tool = {
  type: 'function',
  name: 'read',
  description: '',
  parameters: { type: 'object', properties: {} },
  strict: false,
}

describe("the rules of the fake server for OpenAI's Responses", () => {
  it('allow a conversation', () => {
    const good = {
      ...body(user('hi'), thought, call, output, { ...thought, id: 'rs_2' }, written, said, user('so')),
      tools: [tool],
      tool_choice: 'required',
      temperature: 1,
    }
    expect(checkResponsesBody(good)).toEqual({ body: good })
  })

  it.each<[string, object]>([
    ['no input', body()],
    ['an unknown field', { ...hi, messages: [] }],
    ['a server that stores', { ...hi, store: true }],
    ['empty text', body(user(''))],
    ['a message without content', body({ ...user('a'), content: [] })],
    ['text of an assistant as input', body(user('a'), { ...user('b'), role: 'assistant' })],
    ['thinking without its encrypted content', body({ ...thought, encrypted_content: undefined }, written)],
    ['thinking without what followed it', body(user('a'), thought)],
    ['thinking with text without an id after it', body(user('a'), thought, said)],
    ['the same id twice', body(written, written)],
    ['an id with other letters', body({ ...written, id: 'msg 1' })],
    ['arguments that are not JSON', body({ ...call, arguments: '{"a' }, output)],
    ['a call without an output', body(call, user('a'))],
    ['an output without a call', body(output)],
    ['two outputs of a call', body(call, output, output)],
    ['two calls with the same id', body(call, { ...call, id: 'fc_2' }, output)],
    ['a call id that is too long', body({ ...call, call_id: 'x'.repeat(65) })],
    [
      'a schema with a choice at its top',
      { ...hi, tools: [{ ...tool, parameters: { ...tool.parameters, anyOf: [] } }] },
    ],
    ['a choice of tools without tools', { ...hi, tool_choice: 'auto' }],
    ['too low a limit', { ...hi, max_output_tokens: 15 }],
    ['a temperature beside thinking', { ...hi, temperature: 1, reasoning: { effort: 'low' } }],
  ])('reject %s', (_, value) => {
    expect(checkResponsesBody(value)).toEqual({ violation: expect.any(String) })
  })
})
