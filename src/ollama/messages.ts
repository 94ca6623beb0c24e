import { unreachable } from '../error.ts'
import { sentArguments } from '../http/dialect/sent-json.ts'
import { acceptableName } from '../http/dialect/tool-name.ts'
import type { JsonObject } from '../json-value.ts'
import { documentText, withoutUnsupported } from '../media/media-support.ts'
import {
  type AssistantMessage,
  type ContentBlock,
  type Message,
  type ToolCallBlock,
  textContent,
  toolCalls,
} from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Request } from '../provider.ts'

export interface OllamaMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly thinking?: string
  /** Base64. */
  readonly images?: readonly string[]
  readonly tool_calls?: readonly OllamaCall[]
  readonly tool_name?: string
  readonly tool_call_id?: string
}

interface OllamaCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: JsonObject }
}

/**
 * Converts the conversation with its system prompt. Joins adjacent messages of one role and leaves out empty ones. Sends
 * thinking back only to its provider and model. Sends text documents, and notes for other documents.
 */
export function ollamaMessages(request: Request, provider: string): readonly OllamaMessage[] {
  const { systemPrompt, messages, info, model } = request
  const wire: OllamaMessage[] = []
  append(wire, { role: 'system', content: systemPrompt })
  for (const message of withoutUnsupported(messages, { ...info, documents: false }))
    append(wire, toWire(message, message.type === 'assistant' && isOwn(message, provider, model)))
  return wire
}

function isOwn(message: AssistantMessage, provider: string, model: string): boolean {
  return message.provider === provider && message.model === model
}

function toWire(message: Message, own: boolean): OllamaMessage {
  switch (message.type) {
    case 'user':
      return { role: 'user', ...shown(message.content) }
    case 'tool_result': {
      const { toolName, toolCallId, content } = message
      return {
        role: 'tool',
        ...shown(content),
        tool_name: acceptableName(toolName),
        tool_call_id: toolCallId,
      }
    }
    case 'assistant':
      return {
        role: 'assistant',
        content: textContent(message),
        ...omitUndefined({
          thinking: own ? thinking(message.content) : undefined,
          tool_calls: some(toolCalls(message).map(toCall)),
        }),
      }
    default:
      return unreachable(message)
  }
}

function shown(blocks: readonly ContentBlock[]): Pick<OllamaMessage, 'content' | 'images'> {
  const images = blocks.flatMap((block) => (block.type === 'image' ? [block.data] : []))
  const texts = blocks.flatMap((block) => shownText(block) || [])
  return { content: texts.join('\n\n'), ...omitUndefined({ images: some(images) }) }
}

function shownText(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text
  return block.type === 'document' ? documentText(block) : undefined
}

function thinking(blocks: readonly ContentBlock[]): string | undefined {
  const text = blocks.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
  return text || undefined
}

function toCall({ id, name, arguments: args }: ToolCallBlock): OllamaCall {
  return { id, function: { name: acceptableName(name), arguments: sentArguments(args) } }
}

function append(wire: OllamaMessage[], message: OllamaMessage): void {
  const { role, content, images, tool_calls } = message
  const last = wire.at(-1)
  if (role !== 'tool' && content === '' && images === undefined && tool_calls === undefined) return
  if (role === 'tool' || last?.role !== role) wire.push(message)
  else wire[wire.length - 1] = merged(last, message)
}

function merged(a: OllamaMessage, b: OllamaMessage): OllamaMessage {
  return {
    role: a.role,
    content: [a.content, b.content].filter((content) => content !== '').join('\n\n'),
    ...omitUndefined({
      thinking: a.thinking === undefined ? b.thinking : a.thinking + (b.thinking ?? ''),
      images: some([...(a.images ?? []), ...(b.images ?? [])]),
      tool_calls: some([...(a.tool_calls ?? []), ...(b.tool_calls ?? [])]),
    }),
  }
}

function some<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items
}
