import { unreachable } from '../../error.ts'
import type {
  AssistantMessage,
  ContentBlock,
  Message,
  ToolResultMessage,
  UserMessage,
} from '../../message.ts'
import { resultContent } from '../../message.ts'
import { noUsage } from '../../usage.ts'
import type { ReadingHistory } from '../chat/chat-history.ts'
import { base64Block } from '../chat/content.ts'
import { type SentHistory, visibleHistory } from '../chat/sent-history.ts'
import type { CountBody, SentBlock } from './body.ts'

/** Converts the messages of the Messages API. Messages without content are left out. Throws `invalid` with `details.field`. */
export function readHistory({ system, messages: sent }: CountBody, reading: ReadingHistory): SentHistory {
  const prompts = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text)
  const messages: Message[] = []
  const toolNames = new Map<string, string>()
  for (const [i, message] of sent.entries()) {
    const blocks = placeBlocks(message.content, `messages.${i}.content`)
    for (const { block } of blocks) if (block.type === 'tool_use') toolNames.set(block.id, block.name)
    switch (message.role) {
      case 'system':
        prompts.push(...blocks.map(({ block }) => (block.type === 'text' ? block.text : '')))
        break
      case 'user':
        // Results follow their calls, whatever else the client says with them.
        messages.push(...readResults(blocks, toolNames, reading), ...readUserMessage(blocks, reading))
        break
      case 'assistant':
        messages.push(...readReply(blocks, reading))
        break
      default:
        return unreachable(message.role)
    }
  }
  return visibleHistory({ systemPrompt: prompts.filter((text) => text.trim() !== '').join('\n\n'), messages })
}

/** A block and the field of the request that holds it. */
interface PlacedBlock {
  readonly block: SentBlock
  readonly field: string
}

function placeBlocks(content: string | readonly SentBlock[], field: string): readonly PlacedBlock[] {
  const blocks: readonly SentBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return blocks.map((block, i) => ({ block, field: `${field}.${i}` }))
}

function readUserMessage(blocks: readonly PlacedBlock[], reading: ReadingHistory): readonly UserMessage[] {
  const content = blocks.flatMap(toBlocks)
  return content.length === 0 ? [] : [{ type: 'user', ...newMessage(reading), content }]
}

function readReply(blocks: readonly PlacedBlock[], reading: ReadingHistory): readonly AssistantMessage[] {
  const content = blocks.flatMap(toBlocks)
  if (content.length === 0) return []
  const stopReason = content.some(({ type }) => type === 'tool_call') ? 'tool_use' : 'end_turn'
  return [{ type: 'assistant', ...newMessage(reading), content, stopReason, usage: noUsage }]
}

function readResults(
  blocks: readonly PlacedBlock[],
  toolNames: ReadonlyMap<string, string>,
  reading: ReadingHistory,
): readonly ToolResultMessage[] {
  return blocks.flatMap(({ block, field }) => {
    if (block.type !== 'tool_result') return []
    const content = placeBlocks(block.content ?? [], `${field}.content`).flatMap(toBlocks)
    return {
      type: 'tool_result',
      ...newMessage(reading),
      toolCallId: block.tool_use_id,
      toolName: toolNames.get(block.tool_use_id) ?? '',
      content: resultContent(content),
      isError: block.is_error === true,
    }
  })
}

function newMessage({ newId, timestamp }: ReadingHistory): Pick<Message, 'id' | 'timestamp'> {
  return { id: newId.message(), timestamp }
}

function toBlocks({ block, field }: PlacedBlock): readonly ContentBlock[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }]
    case 'image':
    case 'document': {
      const { source } = block
      if (source.type === 'text') return [{ type: 'text', text: source.data }]
      const title = block.type === 'document' ? (block.title ?? undefined) : undefined
      return [base64Block(source.data, title, `${field}.source.data`)]
    }
    case 'tool_use':
      return [{ type: 'tool_call', id: block.id, name: block.name, arguments: block.input }]
    case 'tool_result':
    case 'thinking':
    case 'redacted_thinking':
      return []
    default:
      return unreachable(block)
  }
}
