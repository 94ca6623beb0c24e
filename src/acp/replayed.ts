import type { SessionUpdate } from '@agentclientprotocol/sdk'
import {
  type AssistantMessage,
  type ContentBlock,
  isLoopMessage,
  type Message,
  spokenText,
  type ToolCallBlock,
  type ToolResultMessage,
  type UserMessage,
} from '../message.ts'
import type { CallWords } from './call-words.ts'
import { planOf } from './turn-updates.ts'

/** Turns the messages of an earlier conversation into what an editor shows of it. */
export function replayed(messages: readonly Message[], facts: CallWords): readonly SessionUpdate[] {
  const results = new Map(
    messages.flatMap((message) => (message.type === 'tool_result' ? [[message.toolCallId, message]] : [])),
  )
  return messages.flatMap((message) => {
    if (message.type === 'user') return isLoopMessage(message) ? [] : wordsOf(message)
    return message.type === 'assistant' ? replyOf(message, results, facts) : []
  })
}

/** The user's own words and images, without what the program adds to the first message. */
function wordsOf(message: UserMessage): readonly SessionUpdate[] {
  const text = spokenText(message)
  const images = message.content.filter(({ type }) => type === 'image')
  return [{ type: 'text', text } as const, ...images].flatMap((block) => chunk('user_message_chunk', block))
}

function replyOf(
  { content }: AssistantMessage,
  results: ReadonlyMap<string, ToolResultMessage>,
  facts: CallWords,
): readonly SessionUpdate[] {
  return content.flatMap((block) => {
    if (block.type === 'tool_call') return callOf(block, results.get(block.id), facts)
    if (block.type !== 'thinking') return chunk('agent_message_chunk', block)
    return block.thinking === '' ? [] : chunk('agent_thought_chunk', { type: 'text', text: block.thinking })
  })
}

function callOf(
  call: ToolCallBlock,
  result: ToolResultMessage | undefined,
  facts: CallWords,
): readonly SessionUpdate[] {
  return [
    {
      sessionUpdate: 'tool_call',
      toolCallId: call.id,
      name: call.name,
      status: result?.isError === false ? 'completed' : 'failed',
      ...facts.describe(call.name, call.arguments),
      ...(result === undefined ? {} : facts.result(result.content, result.details)),
    },
    ...planOf(result?.details),
  ]
}

function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  block: ContentBlock,
): readonly SessionUpdate[] {
  if (block.type === 'text') return [{ sessionUpdate, content: { type: 'text', text: block.text } }]
  if (block.type === 'image')
    return [{ sessionUpdate, content: { type: 'image', data: block.data, mimeType: block.mimeType } }]
  return []
}
