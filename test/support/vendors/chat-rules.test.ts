import { describe, expect, it } from 'vitest'
import { type ChatRules, checkChatBody } from './chat-rules.ts'

const user = { role: 'user', content: 'hi' }
const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }
const assistant = { role: 'assistant', content: null, tool_calls: [call] }
const result = { role: 'tool', tool_call_id: 'a', content: '42' }
const tools = {
  tools: [{ type: 'function', function: { name: 'read', description: '', parameters: { type: 'object' } } }],
}
const chosen = (name: string) => ({ type: 'function', function: { name } })
const body = (...messages: readonly object[]) => ({ model: 'm', stream: true, messages })

describe('the rules of the fake server for Chat Completions', () => {
  it('allow a conversation', () => {
    const good = body({ role: 'system', content: 'Hi' }, user, assistant, result, user)
    expect(checkChatBody(good)).toEqual({ body: good })
    const choice = { ...body(user), ...tools, tool_choice: chosen('read') }
    expect(checkChatBody(choice)).toEqual({ body: choice })
  })

  it.each<[string, object]>([
    ['no model', { ...body(user), model: '' }],
    ['no stream', { ...body(user), stream: false }],
    ['no messages', body()],
    ['an unknown field', { ...body(user), thinking: true }],
    ['empty content', body({ role: 'user', content: '' })],
    ['an empty part', body({ role: 'user', content: [{ type: 'text', text: '' }] })],
    ['an empty assistant message', body(user, { role: 'assistant', content: null }, user)],
    ['empty tools', { ...body(user), tools: [] }],
    [
      'a schema with a choice at its top',
      {
        ...body(user),
        tools: [{ type: 'function', function: { name: 'a', description: '', parameters: { anyOf: [] } } }],
      },
    ],
    ['a choice without tools', { ...body(user), tool_choice: 'none' }],
    ['a choice that is no tool', { ...body(user), ...tools, tool_choice: chosen('write') }],
    [
      'arguments that are no JSON',
      body(
        user,
        { ...assistant, tool_calls: [{ ...call, function: { name: 'read', arguments: '{' } }] },
        result,
      ),
    ],
    [
      'an id that is too long',
      body(
        user,
        { ...assistant, tool_calls: [{ ...call, id: 'x'.repeat(41) }] },
        { ...result, tool_call_id: 'x'.repeat(41) },
      ),
    ],
    ['a call without its result', body(user, assistant, user)],
    ['a call without its result at the end', body(user, assistant)],
    ['a result without its call', body(user, result)],
    ['two results of one call', body(user, assistant, result, result)],
    ['two calls with one id', body(user, { ...assistant, tool_calls: [call, call] }, result)],
    ['two user messages in a row', body(user, user)],
    ['a late system message', body(user, { role: 'system', content: 'Hi' }, user)],
    ['an assistant as the last', body(user, { role: 'assistant', content: 'hi' })],
    ['thinking as a server writes it', body(user, { ...assistant, reasoning_content: '' }, result)],
  ])('reject %s', (_, bad) => expect(checkChatBody(bad)).toHaveProperty('violation'))

  it.each<[string, ChatRules, object, object]>([
    [
      'ids of another length',
      { callIdLength: 9 },
      body(
        user,
        { ...assistant, tool_calls: [{ ...call, id: '000000001' }] },
        { ...result, tool_call_id: '000000001' },
      ),
      body(user, assistant, result),
    ],
    [
      'the user directly after results',
      { acknowledged: true },
      body(user, assistant, result, { role: 'assistant', content: 'I see.' }, user),
      body(user, assistant, result, user),
    ],
    [
      'images',
      { blind: true },
      body(user),
      body({
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
      }),
    ],
    [
      'calls without their thinking',
      { reasoning: 'reasoning_content' },
      body(user, { ...assistant, reasoning_content: '' }, result),
      body(user, assistant, result),
    ],
    [
      'thinking in the form of others',
      { reasoning: 'reasoning_details' },
      body(user, { ...assistant, reasoning_details: [{ type: 'reasoning.text' }] }, result),
      body(user, { ...assistant, reasoning_content: 'Hm.' }, result),
    ],
  ])('reject %s with a server’s own rules', (_, rules, good, bad) => {
    expect(checkChatBody(good, rules)).toEqual({ body: good })
    expect(checkChatBody(bad, rules)).toEqual({ violation: expect.any(String) })
  })
})
