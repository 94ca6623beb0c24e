import { describe, expect, it } from 'vitest'
import { textContent, toolCalls } from '../../src/message.ts'
import { ollamaBody } from '../../src/ollama/request.ts'
import { text, toolResult, user } from '../support/messages/messages.ts'
import { ask, leastRequest } from '../support/models/asking.ts'
import { readRecordings } from '../support/sessions/recordings.ts'
import { ollama } from './playback.ts'

const recordings = readRecordings('ollama-native')

describe.skipIf(recordings.length === 0)('a request after a recorded reply', () => {
  it.each(recordings)(
    'sends $name back after a save and a load, with its thinking only to its own model',
    async ({ bytes }) => {
      const reply = await ask(ollama({ bytes }))
      const calls = toolCalls(reply)
      const results = calls.map(({ id, name }) => ({ ...toolResult(id, text('42')), toolName: name }))
      const history = [...leastRequest.messages, reply, ...results, user(text('go on'))]
      const messages = JSON.parse(JSON.stringify(history))
      const sent = (model = 'asked', provider = 'ollama') =>
        ollamaBody({ ...leastRequest, model, messages }, provider).messages[1]
      const thinking = reply.content
        .map((block) => (block.type === 'thinking' ? block.thinking : ''))
        .join('')
      const tool_calls = calls.map(({ name, arguments: args }) => ({ function: { name, arguments: args } }))
      expect(sent(reply.model)).toMatchObject({
        role: 'assistant',
        content: textContent(reply),
        ...(calls.length > 0 ? { tool_calls } : {}),
        ...(thinking === '' ? {} : { thinking }),
      })
      expect(sent('another')).not.toHaveProperty('thinking')
      expect(sent(reply.model, 'another')).not.toHaveProperty('thinking')
    },
  )
})
