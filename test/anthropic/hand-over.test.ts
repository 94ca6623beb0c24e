import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/message.ts'
import { text, user } from '../support/messages/messages.ts'
import { goOn } from '../support/models/asking.ts'
import { openWire, wireOf } from '../support/models/wires.ts'

describe('a conversation between two vendors', () => {
  const asked = { model: 'claude-sonnet-4-5', thinking: 'low' } as const

  it('sends thinking only to its author, with ids that both accept', async () => {
    const chat = await openWire(wireOf['openai-chat'])
    const messages = await openWire(wireOf.anthropic)
    const history: Message[] = [user(text('hello'))]
    const act = (id: string) =>
      ({
        blocks: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'tool_call', id, name: 'read', arguments: {} },
        ],
      }) as const
    chat.server.reply(act('call|1'), { blocks: [text('Done.')] })
    messages.server.reply(act(`toolu_${'x'.repeat(50)}`), { blocks: [text('Seen.')] })

    await goOn(chat.provider, history, asked)
    await goOn(messages.provider, history, asked)
    await goOn(messages.provider, history, asked)
    history.push(user(text('and now?')))
    await goOn(chat.provider, history, asked)

    const mark = { cache_control: { type: 'ephemeral' } }
    const result = (tool_use_id: string) => ({
      type: 'tool_result',
      tool_use_id,
      content: [text('42')],
      ...mark,
    })
    const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'sig_0' }
    expect(messages.server.requests[1]?.body).toHaveProperty('messages', [
      { role: 'user', content: [text('hello')] },
      { role: 'assistant', content: [use('call_0')] },
      { role: 'user', content: [result('call_0')] },
      { role: 'assistant', content: [thought, use('call_1')] },
      { role: 'user', content: [result('call_1')] },
    ])
    const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })
    expect(chat.server.requests[1]?.body).toHaveProperty('messages', [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: null, tool_calls: [chatCall('call|1')] },
      { role: 'tool', tool_call_id: 'call|1', content: '42' },
      { role: 'assistant', content: null, tool_calls: [chatCall('call_1')] },
      { role: 'tool', tool_call_id: 'call_1', content: '42' },
      { role: 'assistant', content: 'Seen.' },
      { role: 'user', content: 'and now?' },
    ])
  })
})
