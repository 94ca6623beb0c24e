import { describe, expect, it, onTestFinished } from 'vitest'
import { createAnthropicProvider } from '../../src/anthropic/provider.ts'
import { createTransport } from '../../src/http/transport.ts'
import { type Message, toolCalls } from '../../src/message.ts'
import { createChatProvider } from '../../src/openai/chat/provider.ts'
import { complete, type Provider, type Request } from '../../src/provider.ts'
import type { ServerAccess } from '../../src/server.ts'
import { startFakeAnthropic, startFakeServer } from '../support/fake-server.ts'
import { countingIds } from '../support/ids.ts'
import { text, toolResult, user } from '../support/messages.ts'
import { stillClock } from '../support/still-clock.ts'

const { signal } = new AbortController()

function request(messages: readonly Message[]): Request {
  return { model: 'claude-sonnet-4-5', systemPrompt: '', messages, tools: [], thinking: 'low' }
}

describe('a conversation that goes from one vendor to the other and back', () => {
  const open = async () => {
    const chat = await startFakeServer()
    const messages = await startFakeAnthropic()
    const transport = createTransport()
    onTestFinished(async () => {
      transport.close()
      await Promise.all([chat.close(), messages.close()])
      expect([...chat.violations, ...messages.violations]).toEqual([])
    })
    const access = (name: string, baseUrl: string): ServerAccess => {
      return { name, baseUrl, transport, newId: countingIds(), clock: stillClock() }
    }
    const openai = createChatProvider(access('openai', chat.baseUrl))
    const anthropic = createAnthropicProvider(access('anthropic', messages.baseUrl))
    return { chat, messages, openai, anthropic }
  }

  /** Asks, adds the reply and a result for each of its calls. */
  const round = async (provider: Provider, history: Message[]) => {
    const message = await complete(provider, request(history), { signal })
    history.push(message, ...toolCalls(message).map(({ id }) => toolResult(id, text('42'))))
  }

  it('keeps each thinking with the one who wrote it, and has ids that both accept', async () => {
    const { chat, messages, openai, anthropic } = await open()
    const history: Message[] = [user(text('hello'))]
    const act = (id: string) =>
      ({
        blocks: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'tool_call', id, name: 'read', arguments: {} },
        ],
      }) as const
    chat.reply(act('call|1'), { blocks: [text('Done.')] })
    messages.reply(act(`toolu_${'x'.repeat(50)}`), { blocks: [text('Seen.')] })

    await round(openai, history)
    await round(anthropic, history)
    await round(anthropic, history)
    history.push(user(text('and now?')))
    await round(openai, history)

    const mark = { cache_control: { type: 'ephemeral' } }
    const result = (tool_use_id: string) => ({
      type: 'tool_result',
      tool_use_id,
      content: [text('42')],
      ...mark,
    })
    const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'sig_0' }
    expect(messages.requests[1]?.body.messages).toEqual([
      { role: 'user', content: [text('hello')] },
      { role: 'assistant', content: [use('call_0')] },
      { role: 'user', content: [result('call_0')] },
      { role: 'assistant', content: [thought, use('call_1')] },
      { role: 'user', content: [result('call_1')] },
    ])
    const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })
    expect(chat.requests[1]?.body.messages).toEqual([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: null, tool_calls: [chatCall('call_0')] },
      { role: 'tool', tool_call_id: 'call_0', content: '42' },
      { role: 'assistant', content: null, tool_calls: [chatCall('call_1')] },
      { role: 'tool', tool_call_id: 'call_1', content: '42' },
      { role: 'assistant', content: 'Seen.' },
      { role: 'user', content: 'and now?' },
    ])
  })
})
