import { createNewId, type NewId } from '../id.ts'
import type {
  AssistantMessage,
  ContentBlock,
  TextBlock,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from '../message.ts'

/** The timestamp of all messages. A store's clock must read the same. */
export const timestamp = '2026-02-18T12:00:00.000Z'

const now = () => Date.parse(timestamp)

/** Creates ids that count up. */
export function countingIds(): NewId {
  let count = 0
  return createNewId((bytes) => {
    count++
    return new Uint8Array(bytes).fill(count % 256, bytes - 1)
  }, now)
}

const newId = countingIds()
const ids = [newId.message(), newId.message(), newId.message()] as const

export function sampleText(words: string): TextBlock {
  return { type: 'text', text: words }
}

export function call(id: string): ToolCallBlock {
  return { type: 'tool_call', id, name: 'read', arguments: { path: 'a.txt' } }
}

export function user(...content: readonly ContentBlock[]): UserMessage {
  return { type: 'user', id: ids[0], content, timestamp }
}

/** A reply that makes calls. */
export function assistant(...content: readonly ContentBlock[]): AssistantMessage {
  const usage = { inputTokens: 150, outputTokens: 42 }
  const speaker = { provider: 'replay', model: 'script' }
  return { type: 'assistant', id: ids[1], content, timestamp, ...speaker, stopReason: 'tool_use', usage }
}

export function toolResult(toolCallId: string, ...content: readonly ContentBlock[]): ToolResultMessage {
  const about = { toolCallId, toolName: 'read', isError: false }
  return { type: 'tool_result', id: ids[2], content, timestamp, ...about }
}
