import { maxArgumentLevels, parseJson } from '../../json-value.ts'
import { type ToolCallBlock, textContent } from '../../message.ts'
import type { ServedChatMessage } from './chat-body.ts'
import { contentBlocks } from './content.ts'
import type { SentHistory } from './sent-history.ts'
import { type ReadingHistory, SentMessages } from './sent-messages.ts'

/** Converts the messages of a chat completion. Throws `invalid` with `details.field`. */
export function readHistory(sent: readonly ServedChatMessage[], reading: ReadingHistory): SentHistory {
  const messages = new SentMessages(reading)
  for (const [i, message] of sent.entries()) {
    const content = contentBlocks(message.content, `messages.${i}.content`)
    switch (message.role) {
      case 'system':
      case 'developer':
        messages.addPrompt(textContent({ content }))
        break
      case 'user':
        messages.addUser(content)
        break
      case 'assistant':
        messages.addReply([...content, ...(message.tool_calls ?? []).map(toCall)])
        break
      case 'tool':
        messages.addResult(message.tool_call_id, content)
        break
    }
  }
  return messages.end()
}

function toCall({ id, function: { name, arguments: text } }: SentCall): ToolCallBlock {
  return readCall(id, name, text)
}

/** Makes a call of the JSON text of its arguments. */
export function readCall(id: string, name: string, text: string): ToolCallBlock {
  const args = text.trim() === '' ? {} : parseJson(text, maxArgumentLevels)
  if (args !== undefined) return { type: 'tool_call', id, name, arguments: args }
  return { type: 'tool_call', id, name, arguments: null, argumentsRaw: text }
}

type SentCall = NonNullable<Extract<ServedChatMessage, { role: 'assistant' }>['tool_calls']>[number]
