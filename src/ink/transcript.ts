import {
  type AssistantMessage,
  isLoopMessage,
  isMark,
  type Message,
  spokenText,
  type ToolResultMessage,
  textContent,
  type UserMessage,
} from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { attachmentNote } from '../text/message-note.ts'
import { textEntries } from './draft.ts'
import type { Entry } from './state.ts'
import { beginningOf } from './thinking.ts'

/** Returns the context tokens at the model's last answer; `undefined` if unknown, or if the history was compacted since. */
export function contextTokensOf(messages: readonly Message[]): number | undefined {
  const last = messages.findLast((message) => message.type === 'assistant' || isMark(message))
  if (last?.type !== 'assistant') return undefined
  return last.usage.inputTokens + last.usage.outputTokens || undefined
}

/** Converts a resumed conversation to entries, for a window of `columns` columns. */
export function transcriptOf(messages: readonly Message[], columns: number): readonly Entry[] {
  const results = new Map<string, ToolResultMessage>()
  for (const message of messages) if (message.type === 'tool_result') results.set(message.toolCallId, message)
  return messages.flatMap((message): readonly Entry[] => {
    if (message.type === 'user') return isLoopMessage(message) ? [noteOf(message)] : saidByUser(message)
    return message.type === 'assistant' ? saidBy(message, results, columns) : []
  })
}

function saidByUser(message: UserMessage): readonly Entry[] {
  const attached = attachmentNote(message.metadata)
  const note: Entry[] = attached === undefined ? [] : [{ type: 'note', level: 'info', text: attached }]
  return [{ type: 'user', text: spokenText(message) }, ...note]
}

/** Converts a message of the loop to a note with its first line. */
function noteOf(message: UserMessage): Entry {
  const [text = ''] = spokenText(message).split('\n', 1)
  return { type: 'note', level: 'info', text }
}

function saidBy(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolResultMessage>,
  columns: number,
): readonly Entry[] {
  return message.content.flatMap((block): readonly Entry[] => {
    switch (block.type) {
      case 'text':
        return textEntries(block.text, columns)
      case 'thinking':
        return block.thinking.trim() === ''
          ? []
          : [{ type: 'thinking', beginning: beginningOf(block.thinking) }]
      case 'tool_call': {
        const result = results.get(block.id)
        if (result === undefined) return []
        const { isError, details } = result
        const ended = { isError, text: textContent(result), ...omitUndefined({ details }) }
        return [{ type: 'tool', name: block.name, arguments: block.arguments, ...ended }]
      }
      default:
        return []
    }
  })
}
