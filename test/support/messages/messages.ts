import type { MessageId } from '../../../src/id.ts'
import { createNewId } from '../../../src/id.ts'
import type {
  AssistantMessage,
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  TextBlock,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from '../../../src/message.ts'

/** Timestamp of all test messages. */
export const timestamp = '2026-02-18T12:00:00.000Z'

/** The same moment in milliseconds since 1970. */
export const now = Date.parse(timestamp)

/** A message id that contains its number. */
export function messageId(number: number): MessageId {
  return createNewId(
    (bytes) => new Uint8Array(bytes).fill(number, bytes - 1),
    () => now,
  ).message()
}

export function text(words: string): TextBlock {
  return { type: 'text', text: words }
}

export function call(id: string, name = 'read'): ToolCallBlock {
  return { type: 'tool_call', id, name, arguments: { path: 'auth.ts' } }
}

export function user(...content: readonly ContentBlock[]): UserMessage {
  return { type: 'user', id: messageId(1), content, timestamp }
}

export function assistant(...content: readonly ContentBlock[]): AssistantMessage {
  return {
    type: 'assistant',
    id: messageId(2),
    content,
    timestamp,
    provider: 'replay',
    model: 'script',
    stopReason: 'end_turn',
    usage: { inputTokens: 150, outputTokens: 42 },
  }
}

export function toolResult(toolCallId: string, ...content: readonly ContentBlock[]): ToolResultMessage {
  return {
    type: 'tool_result',
    id: messageId(3),
    content,
    timestamp,
    toolCallId,
    toolName: 'read',
    isError: false,
  }
}

/** An image, a document that is no text, and one that is. */
export const image: ImageBlock = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
export const pdf: DocumentBlock = {
  type: 'document',
  mimeType: 'application/pdf',
  data: 'JVBERi0=',
  name: 'a.pdf',
}
export const note: DocumentBlock = { type: 'document', mimeType: 'text/markdown', data: btoa('a note') }
