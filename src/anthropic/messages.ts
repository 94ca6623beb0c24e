import type {
  ContentBlockParam,
  RedactedThinkingBlockParam,
  ThinkingBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { unreachable } from '../error.ts'
import { CallIds } from '../http/dialect/call-ids.ts'
import { sentArguments } from '../http/dialect/sent-json.ts'
import { acceptableName } from '../http/dialect/tool-name.ts'
import type {
  AssistantMessage,
  ContentBlock,
  Message,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultMessage,
} from '../message.ts'
import type { ThoughtBinding } from './binding.ts'
import { shownBlocks, textBlocks } from './content.ts'
import { signsThoughts } from './models.ts'

/** A message of a request, with its content in blocks. */
export interface WireMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlockParam[]
}

/**
 * Converts the conversation after the system prompt, message by message. Joins adjacent messages of one role and leaves out empty ones.
 * Sends thinking back only to its provider, and only if `binding` holds it. Adds everything sent to `binding`.
 */
export class WireMessages {
  readonly list: WireMessage[] = []
  readonly #recipient: Recipient

  constructor(provider: string, model: string, binding: ThoughtBinding) {
    this.#recipient = { provider, wantsSignature: signsThoughts(model), ids: new CallIds(), binding }
  }

  add(message: Message): void {
    const role = message.type === 'assistant' ? 'assistant' : 'user'
    const content = wireContent(message, this.#recipient)
    if (content.length > 0) this.#recipient.binding.add([role, content])
    const last = this.list.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) this.list.push({ role, content: [...content] })
  }
}

interface Recipient {
  readonly provider: string
  /** Whether each thought must be signed. */
  readonly wantsSignature: boolean
  readonly ids: CallIds
  readonly binding: ThoughtBinding
}

function wireContent(message: Message, recipient: Recipient): ContentBlockParam[] {
  switch (message.type) {
    case 'user':
      return shownBlocks(message.content)
    case 'assistant':
      return withoutLastThoughts(spokenBlocks(message, recipient))
    case 'tool_result':
      return [resultBlock(message, recipient.ids)]
    default:
      return unreachable(message)
  }
}

function spokenBlocks(message: AssistantMessage, recipient: Recipient): ContentBlockParam[] {
  const { provider, ids, binding } = recipient
  const own = message.provider === provider
  return message.content.flatMap((block: ContentBlock): ContentBlockParam[] => {
    switch (block.type) {
      case 'text':
        return textBlocks(block.text)
      case 'thinking':
        return own && binding.holds(block) ? thinkingBlocks(block, recipient) : []
      case 'tool_call':
        return [callBlock(block, ids)]
      default:
        return []
    }
  })
}

/** Leaves out thinking without a signature, as in a cut reply, if the server refuses it. */
function thinkingBlocks(
  { thinking, signature, redacted }: ThinkingBlock,
  { wantsSignature }: Recipient,
): ContentBlockParam[] {
  if (redacted === true)
    return signature === undefined ? [] : [{ type: 'redacted_thinking', data: signature }]
  if (signature === undefined && (wantsSignature || thinking === '')) return []
  return [{ type: 'thinking', thinking, signature: signature ?? '' }]
}

function callBlock({ id, name, arguments: args }: ToolCallBlock, ids: CallIds): ContentBlockParam {
  return { type: 'tool_use', id: ids.begin(id), name: acceptableName(name), input: sentArguments(args) }
}

function resultBlock(message: ToolResultMessage, ids: CallIds): ToolResultBlockParam {
  const content = shownBlocks(message.content)
  return {
    type: 'tool_result',
    tool_use_id: ids.get(message.toolCallId),
    ...(content.length > 0 ? { content } : {}),
    // The server refuses an error with more than text.
    ...(message.isError && content.every((block) => block.type === 'text') ? { is_error: true } : {}),
  }
}

/** Removes thinking at the end of a message, as in a cut one, because the server refuses it. */
function withoutLastThoughts(blocks: ContentBlockParam[]): ContentBlockParam[] {
  return blocks.slice(0, blocks.findLastIndex((block) => !isThought(block)) + 1)
}

export function isThought(
  block: ContentBlockParam | undefined,
): block is ThinkingBlockParam | RedactedThinkingBlockParam {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking'
}
