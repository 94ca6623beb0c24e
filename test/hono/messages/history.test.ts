import { describe, expect, it } from 'vitest'
import type { CountBody } from '../../../src/hono/messages/body.ts'
import { readHistory } from '../../../src/hono/messages/history.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { thrown } from '../../support/thrown.ts'

const timestamp = '2026-01-02T03:04:05.000Z'

function read(messages: CountBody['messages'], system?: CountBody['system']) {
  const reading = { newId: countingIds(), timestamp }
  const { systemPrompt, messages: found } = readHistory({ model: 'm', messages, system }, reading)
  return { systemPrompt, messages: found.map(({ id: _, timestamp: __, ...message }) => message) }
}

const usage = { inputTokens: 0, outputTokens: 0 }
const call = { type: 'tool_use' as const, id: 'tc_1', name: 'read', input: { path: 'a' } }

describe('the messages of a client of the Messages API', () => {
  it('become ours: results before what the user says with them, each with the name of its tool', () => {
    const { messages } = read([
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: [{ type: 'text', text: 'I will.' }, { type: 'thinking' }, call] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'and be quick' },
          { type: 'tool_result', tool_use_id: 'tc_1', content: 'words', is_error: null },
          { type: 'tool_result', tool_use_id: 'tc_2', content: [], is_error: true },
        ],
      },
    ])
    expect(messages).toEqual([
      { type: 'user', content: [{ type: 'text', text: 'read a' }] },
      {
        type: 'assistant',
        content: [
          { type: 'text', text: 'I will.' },
          { type: 'tool_call', id: 'tc_1', name: 'read', arguments: { path: 'a' } },
        ],
        stopReason: 'tool_use',
        usage,
      },
      {
        type: 'tool_result',
        toolCallId: 'tc_1',
        toolName: 'read',
        content: [{ type: 'text', text: 'words' }],
        isError: false,
      },
      {
        type: 'tool_result',
        toolCallId: 'tc_2',
        toolName: '',
        content: [{ type: 'text', text: '(no output)' }],
        isError: true,
      },
      { type: 'user', content: [{ type: 'text', text: 'and be quick' }] },
    ])
  })

  it('give one system prompt, and none without content', () => {
    const system = [
      { type: 'text' as const, text: 'Be kind.' },
      { type: 'text' as const, text: ' ' },
    ]
    const sent: CountBody['messages'] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '' },
      { role: 'assistant', content: [{ type: 'redacted_thinking' }] },
    ]
    expect(read(sent, system)).toEqual({ systemPrompt: 'Be kind.\n\nBe brief.', messages: [] })
  })

  it('name the field that holds no data', async () => {
    const broken = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png', data: '?' },
    }
    const text = { type: 'text' as const, text: 'see' }
    const inResult = { type: 'tool_result' as const, tool_use_id: 'tc_1', content: [text, broken] }
    expect(await thrown(() => read([{ role: 'user', content: [text, broken] }]))).toMatchObject({
      code: 'invalid',
      details: { field: 'messages.0.content.1.source.data' },
    })
    expect(await thrown(() => read([{ role: 'user', content: [inResult] }]))).toMatchObject({
      details: { field: 'messages.0.content.0.content.1.source.data' },
    })
  })
})
