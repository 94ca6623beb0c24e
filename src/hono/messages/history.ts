import { unreachable } from '../../error.ts'
import type { ContentBlock, Message } from '../../message.ts'
import { noUsage } from '../../usage.ts'
import type { ReadingHistory } from '../chat/chat-history.ts'
import { base64Block } from '../chat/content.ts'
import { type SentHistory, visibleHistory } from '../chat/sent-history.ts'
import type { CountBody, MediaPart, SentBlock } from './body.ts'

/** Converts the messages of the Messages API. Messages without content are left out. Throws `invalid` with `details.field`. */
export function readHistory({ system, messages: sent }: CountBody, reading: ReadingHistory): SentHistory {
  const prompts = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text)
  const messages: Message[] = []
  const toolNames = new Map<string, string>()
  for (const [i, { role, content }] of sent.entries()) {
    const blocks: readonly SentBlock[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const fieldOf = (block: SentBlock) => `messages.${i}.content.${blocks.indexOf(block)}`
    for (const block of blocks) if (block.type === 'tool_use') toolNames.set(block.id, block.name)
    if (role === 'system') {
      prompts.push(...blocks.map((block) => (block.type === 'text' ? block.text : '')))
      continue
    }
    const base = () => ({ id: reading.newId.message(), timestamp: reading.timestamp })
    // Results follow their calls, whatever else the client says with them.
    if (role === 'user') {
      for (const block of blocks)
        if (block.type === 'tool_result')
          messages.push({ ...base(), ...toResult(block, toolNames, fieldOf(block)) })
    }
    const said = blocks.flatMap((block) => toBlocks(block, fieldOf(block)))
    if (said.length === 0) continue
    if (role === 'user') messages.push({ type: 'user', ...base(), content: said })
    else {
      const stopReason = said.some(({ type }) => type === 'tool_call') ? 'tool_use' : 'end_turn'
      messages.push({ type: 'assistant', ...base(), content: said, stopReason, usage: noUsage })
    }
  }
  return visibleHistory({ systemPrompt: prompts.filter((text) => text.trim() !== '').join('\n\n'), messages })
}

function toResult(
  { tool_use_id: toolCallId, content, is_error }: Extract<SentBlock, { type: 'tool_result' }>,
  toolNames: ReadonlyMap<string, string>,
  field: string,
) {
  const parts: readonly MediaPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const blocks = parts.flatMap((part, i) => toBlocks(part, `${field}.content.${i}`))
  return {
    type: 'tool_result' as const,
    toolCallId,
    toolName: toolNames.get(toolCallId) ?? '',
    content: blocks.length > 0 ? blocks : [{ type: 'text' as const, text: '(no output)' }],
    isError: is_error === true,
  }
}

function toBlocks(block: SentBlock, field: string): readonly ContentBlock[] {
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
