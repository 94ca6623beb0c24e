import fc from 'fast-check'
import { createNewId, type MessageId } from '../../../src/id.ts'
import {
  type AssistantMessage,
  type ContentBlock,
  type Message,
  textContent,
  type UserMessage,
} from '../../../src/message.ts'
import type { Request } from '../../../src/provider.ts'
import { anyMessage } from './arbitraries.ts'
import { assistant, call, now, text, toolResult, user } from './messages.ts'

/** Messages of an earlier run, with ids that differ from those of `countingIds`. At most 200. */
export function earlier(...messages: readonly Message[]): readonly Message[] {
  return messages.map((message, index) => ({ ...message, id: earlierId(index + 1) }))
}

/** The user's next message, also with a distinct id. */
export function told(words: string): UserMessage {
  return { ...user(text(words)), id: earlierId(255) }
}

function earlierId(number: number): MessageId {
  return createNewId(
    (bytes) => new Uint8Array(bytes).fill(number, 0, 1),
    () => now,
  ).message()
}

/** Returns each message of a request as its text, or its type if it has none. */
export function sent({ messages }: Request): readonly string[] {
  return messages.map((message) => textContent(message) || message.type)
}

/** A call and its output. */
export function looked(callId: string, output: string): readonly Message[] {
  return [{ ...assistant(call(callId)), stopReason: 'tool_use' }, toolResult(callId, text(output))]
}

/** A question and its answer. */
export function talked(question: string, answer: string): readonly Message[] {
  return [user(text(question)), unmeasured(text(answer))]
}

/** A reply without token counts from the server. */
export function unmeasured(...content: readonly ContentBlock[]): AssistantMessage {
  return { ...assistant(...content), usage: { inputTokens: 0, outputTokens: 0 } }
}

/** A reply whose request and text amount to this many tokens. The request is too small to calibrate estimates. */
export function measured(tokens: number, ...content: readonly ContentBlock[]): AssistantMessage {
  return { ...assistant(...content), usage: { inputTokens: 100, outputTokens: tokens - 100 } }
}

/** A reply whose request amounts to this many tokens. */
export function prompted(tokens: number, ...content: readonly ContentBlock[]): AssistantMessage {
  return { ...assistant(...content), usage: { inputTokens: tokens, outputTokens: 100 } }
}

/** A text of this many tokens. */
export function long(tokens: number, letter = 'x'): string {
  return letter.repeat(4 * tokens)
}

/** Any messages, with call ids that often collide. */
export const anyHistory = fc.array(
  fc
    .tuple(anyMessage, fc.array(fc.constantFrom('a', 'b', 'a_2', ''), { minLength: 4, maxLength: 4 }))
    .map(([message, ids]): Message => {
      if (message.type === 'tool_result') return { ...message, toolCallId: ids[0] ?? '' }
      const content = message.content.map((block, i) =>
        block.type === 'tool_call' ? { ...block, id: ids[i] ?? '' } : block,
      )
      return { ...message, content }
    }),
  { maxLength: 8 },
)
