import { describe, expect, it } from 'vitest'
import type { ServedChatMessage } from '../../../src/hono/chat/chat-body.ts'
import { readHistory } from '../../../src/hono/chat/chat-history.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { timestamp } from '../../support/messages/messages.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function read(...messages: readonly ServedChatMessage[]) {
  const { systemPrompt, messages: history } = readHistory(messages, { newId: countingIds(), timestamp })
  return { systemPrompt, history: history.map(({ id: _, timestamp: __, ...message }) => message) }
}

function image(url: string): ServedChatMessage {
  return { role: 'user', content: [{ type: 'image_url', image_url: { url } }] }
}

describe('the messages of a client', () => {
  it('are a history, with the system messages apart', () => {
    const { systemPrompt, history } = read(
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${png}` } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } },
          { id: 'b', type: 'function', function: { name: 'look', arguments: '' } },
          { id: 'c', type: 'function', function: { name: 'look', arguments: '{"at' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A dot.' },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'assistant', content: '' },
    )
    expect(systemPrompt).toBe('Be brief.\n\nBe kind.')
    expect(history).toMatchObject([
      {
        type: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', mimeType: 'image/png', data: png },
        ],
      },
      {
        type: 'assistant',
        content: [
          { type: 'tool_call', id: 'a', name: 'look', arguments: { at: 'it' } },
          { type: 'tool_call', id: 'b', name: 'look', arguments: {} },
          { type: 'tool_call', id: 'c', name: 'look', arguments: null, argumentsRaw: '{"at' },
        ],
        stopReason: 'tool_use',
      },
      { type: 'tool_result', toolCallId: 'a', toolName: 'look', content: [{ type: 'text', text: 'A dot.' }] },
      { type: 'tool_result', toolCallId: 'b', content: [{ type: 'text', text: '(no output)' }] },
    ])
    expect(history).toHaveLength(4)
  })

  it('hide nothing from a user that a model would read', () => {
    const hidden = `Hi${String.fromCodePoint(0xe0041, 0xe0042)}`
    const { systemPrompt, history } = read(
      { role: 'system', content: hidden },
      { role: 'user', content: hidden },
      { role: 'assistant', content: hidden },
    )
    expect(systemPrompt).toBe('Hi')
    expect(history.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'Hi\n(2 invisible characters removed)' }],
      [{ type: 'text', text: 'Hi' }],
    ])
  })

  it.each([
    ['https://example.org/a.png', 'fetches no addresses'],
    ['data:image/png,abc', 'not a data URL in base64'],
    [`data:image/png;base64,${Buffer.from('hello').toString('base64')}`, 'not a PNG'],
    [
      `data:image/png;base64,${Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(5_000_000)]).toString('base64')}`,
      'more than',
    ],
  ])('are refused with the image $0: $1', (url, reason) => {
    expect(() => read(image(url))).toThrow(reason)
  })
})
