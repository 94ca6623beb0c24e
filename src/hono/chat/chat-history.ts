import type { NewId } from '../../id.ts'
import { maxArgumentLevels, parseJson } from '../../json-value.ts'
import {
  type ContentBlock,
  type Message,
  resultContent,
  type ToolCallBlock,
  textContent,
} from '../../message.ts'
import { noUsage } from '../../usage.ts'
import type { ServedChatMessage } from './chat-body.ts'
import { contentBlocks } from './content.ts'
import { type SentHistory, visibleHistory } from './sent-history.ts'

export interface ReadingHistory {
  readonly newId: NewId
  /** ISO 8601. */
  readonly timestamp: string
}

/** Converts the messages of a chat completion. Messages without content are left out. Throws `invalid` with `details.field`. */
export function readHistory(sent: readonly ServedChatMessage[], reading: ReadingHistory): SentHistory {
  const prompts: string[] = []
  const messages: Message[] = []
  const toolNames = new Map<string, string>()
  for (const [i, message] of sent.entries()) {
    const content = contentBlocks(message.content, `messages.${i}.content`)
    const base = { id: reading.newId.message(), timestamp: reading.timestamp }
    switch (message.role) {
      case 'system':
      case 'developer':
        prompts.push(textContent({ content }))
        break
      case 'user':
        if (content.length > 0) messages.push({ type: 'user', ...base, content })
        break
      case 'assistant': {
        const calls = (message.tool_calls ?? []).map(toCall)
        for (const { id, name } of calls) toolNames.set(id, name)
        const said: readonly ContentBlock[] = [...content, ...calls]
        const stopReason = calls.length > 0 ? 'tool_use' : 'end_turn'
        if (said.length > 0)
          messages.push({ type: 'assistant', ...base, content: said, stopReason, usage: noUsage })
        break
      }
      case 'tool': {
        const toolCallId = message.tool_call_id
        messages.push({
          type: 'tool_result',
          ...base,
          toolCallId,
          toolName: toolNames.get(toolCallId) ?? '',
          content: resultContent(content),
          isError: false,
        })
        break
      }
    }
  }
  return visibleHistory({ systemPrompt: prompts.filter((text) => text.trim() !== '').join('\n\n'), messages })
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
