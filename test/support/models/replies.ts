import type { JsonObject } from '../../../src/json-value.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import type { ChatBody } from '../vendors/chat-rules.ts'
import { replyEvents } from '../vendors/chat-sse.ts'
import type { FakeReply } from './fake-server.ts'

/** A reply of one text. */
export function say(text: string): FakeReply {
  return { blocks: [{ type: 'text', text }] }
}

/** A reply with calls, each a name and its arguments. */
export function use(...calls: readonly (readonly [name: string, args: JsonObject])[]): FakeReply {
  return { blocks: calls.map(([name, args]) => ({ type: 'tool_call', name, arguments: args })) }
}

/** The events of an unfinished reply, without its end and the last `missing` pieces of the block. */
export function unfinished(block: ScriptBlock, missing = 0): string {
  return replyEvents([block])
    .slice(0, -3 - missing)
    .join('')
}

/** Formats each message of a request as its role and its texts. */
export function outlineRequest({ messages }: ChatBody): readonly string[] {
  return messages.map((message) => {
    const { role, content } = message
    const parts = typeof content === 'string' ? [content] : (content ?? [])
    const texts = parts.map((part) =>
      typeof part === 'string' ? part : part.type === 'text' ? part.text : part.type,
    )
    return `${role}: ${texts.join('\n')}`
  })
}

/** Returns the last message of a request as text. */
export function lastText(body: ChatBody): string {
  return outlineRequest(body).at(-1) ?? ''
}
