import { CallIds } from '../../http/dialect/call-ids.ts'
import { type Author, readOwnData } from '../../http/dialect/own-data.ts'
import { sentArguments, sentJson } from '../../http/dialect/sent-json.ts'
import { acceptableName } from '../../http/dialect/tool-name.ts'
import type { JsonObject, JsonValue } from '../../json-value.ts'
import type { Quirks } from '../../machine/model-server.ts'
import { withoutUnsupported } from '../../media/media-support.ts'
import {
  type AssistantMessage,
  type ContentBlock,
  type ToolCallBlock,
  type ToolResultMessage,
  textContent,
  toolCalls,
} from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Request } from '../../provider.ts'
import { list, object } from '../../wire/json-fields.ts'
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
  readonly thinking_blocks?: readonly JsonValue[]
  readonly reasoning_content?: string
}

/** The server and model that get the request. */
interface Recipient extends Author {
  readonly ids: CallIds
  readonly quirks: Quirks
}

interface ChatCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  readonly extra_content?: JsonObject
}

/**
 * Converts the conversation, without the system prompt, joining adjacent messages of one role. Sends thinking back only to its
 * provider and model. Sends images and files of tool results after them, as a user message.
 */
export function chatMessages(request: Request, provider: string, quirks: Quirks): readonly ChatMessage[] {
  const recipient = { provider, model: request.model, ids: new CallIds(quirks.callIdLength), quirks }
  const wire: ChatMessage[] = []
  let attached: ContentBlock[] = []
  for (const message of withoutUnsupported(request.messages, request.info)) {
    if (message.type === 'tool_result') {
      wire.push(toolMessage(message, recipient.ids))
      attached.push(...message.content.filter((block) => block.type !== 'text'))
      continue
    }
    append(wire, userMessage(attached))
    attached = []
    append(
      wire,
      message.type === 'user' ? userMessage(message.content) : assistantMessage(message, recipient),
    )
  }
  append(wire, userMessage(attached))
  return quirks.userAfterTool === false ? withAcknowledgements(wire) : wire
}

function userMessage(blocks: readonly ContentBlock[]): ChatMessage {
  return { role: 'user', content: chatContent(blocks) }
}

function toolMessage(message: ToolResultMessage, ids: CallIds): ChatMessage {
  const content = textContent(message) || '(the result follows)'
  return { role: 'tool', tool_call_id: ids.get(message.toolCallId), content }
}

function assistantMessage(message: AssistantMessage, recipient: Recipient): AssistantChat {
  const { provider, quirks } = recipient
  return assistantChat({
    text: textContent(message),
    calls: toolCalls(message).map((call) => toCall(call, recipient)),
    details: proof(message, 'reasoning_details', recipient),
    thoughts: proof(message, 'thinking_blocks', recipient),
    thinking: quirks.reasoningContent === true ? thinking(message, provider) : undefined,
  })
}

function proof({ content }: AssistantMessage, name: string, recipient: Recipient): readonly JsonValue[] {
  return content.flatMap((block) => list(readOwnData(block, recipient)?.[name]))
}

interface Spoken {
  readonly text: string
  readonly calls: readonly ChatCall[]
  readonly details: readonly JsonValue[]
  readonly thoughts: readonly JsonValue[]
  readonly thinking: string | undefined
}

function assistantChat({ text, calls, details, thoughts, thinking }: Spoken): AssistantChat {
  return {
    role: 'assistant',
    content: text || null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(thoughts.length > 0 ? { thinking_blocks: thoughts } : {}),
    ...omitUndefined({ reasoning_content: thinking }),
  }
}

/** Returns the thinking; empty if it is another provider's, as the field is required. */
function thinking({ provider, content }: AssistantMessage, recipient: string): string {
  if (provider !== recipient) return ''
  return content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
}

function toCall(call: ToolCallBlock, recipient: Recipient): ChatCall {
  const { id, name, arguments: args } = call
  const own = readOwnData(call, recipient)
  return {
    id: recipient.ids.begin(id, own !== undefined),
    type: 'function',
    function: { name: acceptableName(name), arguments: sentJson(sentArguments(args)) },
    ...omitUndefined({ extra_content: object(own?.['extra_content']) }),
  }
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

/** Joins two user or two assistant messages; `undefined` for any others. */
function merge(a: ChatMessage, b: ChatMessage): ChatMessage | undefined {
  if (a.role === 'user' && b.role === 'user') {
    return { role: 'user', content: joinContent(a.content, b.content) }
  }
  if (a.role !== 'assistant' || b.role !== 'assistant') return undefined
  return assistantChat({
    text: paragraphs(a.content, b.content),
    calls: [...(a.tool_calls ?? []), ...(b.tool_calls ?? [])],
    details: [...(a.reasoning_details ?? []), ...(b.reasoning_details ?? [])],
    thoughts: [...(a.thinking_blocks ?? []), ...(b.thinking_blocks ?? [])],
    thinking:
      a.reasoning_content === undefined ? undefined : paragraphs(a.reasoning_content, b.reasoning_content),
  })
}

function paragraphs(...texts: readonly (string | null | undefined)[]): string {
  return texts.filter((text) => text).join('\n\n')
}

const acknowledgement: AssistantChat = { role: 'assistant', content: '(I have the results.)' }

/** Inserts an assistant message between results and a user message, as after a cut turn. */
function withAcknowledgements(wire: readonly ChatMessage[]): readonly ChatMessage[] {
  return wire.flatMap((message, i) =>
    message.role === 'user' && wire[i - 1]?.role === 'tool' ? [acknowledgement, message] : [message],
  )
}
