import { unreachable } from './error.ts'
import type { MessageId } from './id.ts'
import type { JsonValue } from './json-value.ts'
import { type Message, textContent } from './message.ts'

/** A message as an audit shows it: what was said apart from what was done. Field names are those on disk. */
export type LogForm =
  | { readonly type: 'user'; readonly id: MessageId; readonly content: string }
  | { readonly type: 'assistant_text'; readonly id: MessageId; readonly content: string }
  | {
      readonly type: 'assistant_action'
      readonly id: MessageId
      readonly tool_id: string
      readonly tool_name: string
      readonly tool_args: JsonValue
    }
  | {
      readonly type: 'tool_result'
      readonly id: MessageId
      readonly tool_id: string
      readonly tool_name: string
      readonly success: true
      readonly result: string
      readonly executed_at: string
    }
  | {
      readonly type: 'tool_error'
      readonly id: MessageId
      readonly tool_id: string
      readonly tool_name: string
      readonly success: false
      readonly error: string
      readonly executed_at: string
    }
  | { readonly type: 'system_context'; readonly content: string }

/** The log forms of one message, in order: an assistant's text and each of its actions are entries of their own. */
export function logForms(message: Message): readonly LogForm[] {
  const { id } = message
  switch (message.type) {
    case 'user':
      return [{ type: 'user', id, content: textContent(message) }]
    case 'assistant':
      return message.content.flatMap((block): LogForm[] => {
        if (block.type === 'text') return [{ type: 'assistant_text', id, content: block.text }]
        if (block.type !== 'tool_call') return []
        const args = block.argumentsRaw ?? block.arguments
        return [{ type: 'assistant_action', id, tool_id: block.id, tool_name: block.name, tool_args: args }]
      })
    case 'tool_result': {
      const call = {
        id,
        tool_id: message.toolCallId,
        tool_name: message.toolName,
        executed_at: message.timestamp,
      }
      const text = textContent(message)
      return message.isError
        ? [{ type: 'tool_error', ...call, success: false, error: text }]
        : [{ type: 'tool_result', ...call, success: true, result: text }]
    }
    default:
      return unreachable(message)
  }
}

/** The log form of the system prompt. */
export function systemContext(systemPrompt: string): LogForm {
  return { type: 'system_context', content: systemPrompt }
}
