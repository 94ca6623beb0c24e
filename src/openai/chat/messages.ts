import type { CallIds } from '../../call-ids.ts'
import { list, object } from '../../http/json-fields.ts'
import type { JsonValue } from '../../json-value.ts'
import {
  type AssistantMessage,
  type ContentBlock,
  type ToolCallBlock,
  type ToolResultMessage,
  textContent,
  toolCalls,
} from '../../message.ts'
import type { Request } from '../../provider.ts'
import { withoutUnseen } from '../../sight.ts'
import { type ChatContent, chatContent, joinContent } from './content.ts'

export type ChatMessage =
  | { readonly role: 'system' | 'developer'; readonly content: string }
  | { readonly role: 'user'; readonly content: ChatContent }
  | AssistantChat
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

interface AssistantChat {
  readonly role: 'assistant'
  readonly content: string | null
  readonly tool_calls?: readonly ChatCall[]
  readonly reasoning_details?: readonly JsonValue[]
}

type Speaker = Required<Pick<AssistantMessage, 'provider' | 'model'>>

interface ChatCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/**
 * The conversation after the system prompt. Neighbours of one role become one message and empty messages are left out;
 * thinking goes back only to the provider and model that wrote it. What a tool result cannot hold (images, files) follows the
 * results as a user message.
 */
export function chatMessages(request: Request, provider: string, ids: CallIds): readonly ChatMessage[] {
  const wire: ChatMessage[] = []
  let attached: ContentBlock[] = []
  for (const message of withoutUnseen(request.messages, request.info)) {
    if (message.type === 'tool_result') {
      wire.push(toolMessage(message, ids))
      attached.push(...message.content.filter((block) => block.type !== 'text'))
      continue
    }
    append(wire, userMessage(attached))
    attached = []
    append(
      wire,
      message.type === 'user'
        ? userMessage(message.content)
        : assistantMessage(message, ids, { provider, model: request.model }),
    )
  }
  append(wire, userMessage(attached))
  return wire
}

function userMessage(blocks: readonly ContentBlock[]): ChatMessage {
  return { role: 'user', content: chatContent(blocks) }
}

function toolMessage(message: ToolResultMessage, ids: CallIds): ChatMessage {
  const content = textContent(message) || '(the result follows)'
  return { role: 'tool', tool_call_id: ids.get(message.toolCallId), content }
}

function assistantMessage(message: AssistantMessage, ids: CallIds, listener: Speaker): AssistantChat {
  return assistantChat(
    textContent(message),
    toolCalls(message).map((call) => toCall(call, ids)),
    message.content.flatMap((block) => reasoningDetails(block, listener)),
  )
}

function assistantChat(
  content: string,
  calls: readonly ChatCall[],
  details: readonly JsonValue[],
): AssistantChat {
  return {
    role: 'assistant',
    content: content || null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
  }
}

/** A call that was cut has an error result; it goes with arguments that are JSON, because servers check. */
function toCall({ id, name, arguments: args }: ToolCallBlock, ids: CallIds): ChatCall {
  return { id: ids.begin(id), type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } }
}

function reasoningDetails(block: ContentBlock, { provider, model }: Speaker): readonly JsonValue[] {
  const data = block.providerData?.provider === provider ? object(block.providerData.data) : undefined
  return data?.['model'] === model ? list(data['reasoning_details']) : []
}

function append(wire: ChatMessage[], message: ChatMessage): void {
  if (isEmpty(message)) return
  const last = wire.at(-1)
  const merged = last === undefined ? undefined : merge(last, message)
  if (merged === undefined) wire.push(message)
  else wire[wire.length - 1] = merged
}

function isEmpty(message: ChatMessage): boolean {
  if (message.role === 'assistant') return message.content === null && message.tool_calls === undefined
  return message.content.length === 0
}

/** Two neighbours of one role as one message; `undefined` where they are none. */
function merge(a: ChatMessage, b: ChatMessage): ChatMessage | undefined {
  if (a.role === 'user' && b.role === 'user') {
    return { role: 'user', content: joinContent(a.content, b.content) }
  }
  if (a.role !== 'assistant' || b.role !== 'assistant') return undefined
  return assistantChat(
    [a.content, b.content].filter((content) => content !== null).join('\n\n'),
    [...(a.tool_calls ?? []), ...(b.tool_calls ?? [])],
    [...(a.reasoning_details ?? []), ...(b.reasoning_details ?? [])],
  )
}
