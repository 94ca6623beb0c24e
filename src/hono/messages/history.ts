import { unreachable } from '../../error.ts'
import type { ContentBlock } from '../../message.ts'
import { base64Block } from '../chat/content.ts'
import type { SentHistory } from '../chat/sent-history.ts'
import { type ReadingHistory, SentMessages } from '../chat/sent-messages.ts'
import type { CountBody, SentBlock } from './body.ts'

/** Converts the messages of the Messages API. Throws `invalid` with `details.field`. */
export function readHistory({ system, messages: sent }: CountBody, reading: ReadingHistory): SentHistory {
  const messages = new SentMessages(reading)
  const prompts = typeof system === 'string' ? [{ text: system }] : (system ?? [])
  for (const { text } of prompts) messages.addPrompt(text)
  for (const [i, message] of sent.entries()) {
    const blocks = placeBlocks(message.content, `messages.${i}.content`)
    switch (message.role) {
      case 'system':
        for (const { block } of blocks) if (block.type === 'text') messages.addPrompt(block.text)
        break
      case 'user':
        // Results follow their calls, whatever else the client says with them.
        for (const placed of blocks) addResult(placed, messages)
        messages.addUser(blocks.flatMap(toBlocks))
        break
      case 'assistant':
        messages.addReply(blocks.flatMap(toBlocks))
        break
      default:
        return unreachable(message.role)
    }
  }
  return messages.end()
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

function addResult({ block, field }: PlacedBlock, messages: SentMessages): void {
  if (block.type !== 'tool_result') return
  const content = placeBlocks(block.content ?? [], `${field}.content`).flatMap(toBlocks)
  messages.addResult(block.tool_use_id, content, block.is_error === true)
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
