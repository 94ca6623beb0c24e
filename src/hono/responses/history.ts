import type { AssistantMessage, ContentBlock, Message } from '../../message.ts'
import { resultContent, textContent } from '../../message.ts'
import { noUsage } from '../../usage.ts'
import { type ReadingHistory, readCall } from '../chat/chat-history.ts'
import { dataUrlBlock } from '../chat/content.ts'
import { type SentHistory, visibleHistory } from '../chat/sent-history.ts'
import type { SentPart, ServedResponsesBody } from './body.ts'

/** Converts the input of the Responses API. Items that only their vendor could read are left out. Throws `invalid` with `details.field`. */
export function readHistory(
  { instructions, input }: ServedResponsesBody,
  reading: ReadingHistory,
): SentHistory {
  const prompts = [instructions ?? '']
  const messages: Message[] = []
  const toolNames = new Map<string, string>()
  const base = () => ({ id: reading.newId.message(), timestamp: reading.timestamp })
  for (const [i, item] of input.entries()) {
    switch (item?.type) {
      case 'message': {
        const content = toBlocks(item.content, `input.${i}.content`)
        if (item.role === 'system' || item.role === 'developer') prompts.push(textContent({ content }))
        else if (content.length === 0) break
        else if (item.role === 'user') messages.push({ type: 'user', ...base(), content })
        else say(messages, content, base())
        break
      }
      case 'function_call':
      case 'custom_tool_call': {
        const { call_id: id, name } = item
        const args = item.type === 'function_call' ? item.arguments : JSON.stringify({ input: item.input })
        toolNames.set(id, name)
        say(messages, [readCall(id, name, args)], base())
        break
      }
      case 'function_call_output':
      case 'custom_tool_call_output': {
        const { call_id: toolCallId, output } = item
        const content = toBlocks(output, `input.${i}.output`)
        messages.push({
          type: 'tool_result',
          ...base(),
          toolCallId,
          toolName: toolNames.get(toolCallId) ?? '',
          content: resultContent(content),
          isError: false,
        })
        break
      }
      default:
    }
  }
  return visibleHistory({ systemPrompt: prompts.filter((text) => text.trim() !== '').join('\n\n'), messages })
}

/** Adds to the reply at the end of the history, which this API divides into items, or begins one. */
function say(
  messages: Message[],
  content: readonly ContentBlock[],
  base: Pick<AssistantMessage, 'id' | 'timestamp'>,
): void {
  const last = messages.at(-1)
  const said = last?.type === 'assistant' ? [...last.content, ...content] : content
  const stopReason = said.some(({ type }) => type === 'tool_call') ? 'tool_use' : 'end_turn'
  const reply: AssistantMessage = { type: 'assistant', ...base, content: said, stopReason, usage: noUsage }
  messages.splice(last?.type === 'assistant' ? -1 : messages.length, 1, reply)
}

function toBlocks(content: string | readonly SentPart[], field: string): readonly ContentBlock[] {
  const parts: readonly SentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return parts
    .map((part, i): ContentBlock => toBlock(part, `${field}.${i}`))
    .filter((block) => block.type !== 'text' || block.text !== '')
}

function toBlock(part: SentPart, field: string): ContentBlock {
  switch (part.type) {
    case 'refusal':
      return { type: 'text', text: part.refusal }
    case 'input_image':
      return dataUrlBlock(part.image_url, undefined, `${field}.image_url`)
    case 'input_file':
      return dataUrlBlock(part.file_data, part.filename ?? undefined, `${field}.file_data`)
    default:
      return { type: 'text', text: part.text }
  }
}
