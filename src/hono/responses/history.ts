import { type ContentBlock, textContent } from '../../message.ts'
import { readCall } from '../chat/chat-history.ts'
import { dataUrlBlock } from '../chat/content.ts'
import type { SentHistory } from '../chat/sent-history.ts'
import { type ReadingHistory, SentMessages } from '../chat/sent-messages.ts'
import type { SentPart, ServedResponsesBody } from './body.ts'

/** Converts the input of the Responses API. Items that only their vendor could read are left out. Throws `invalid` with `details.field`. */
export function readHistory(
  { instructions, input }: ServedResponsesBody,
  reading: ReadingHistory,
): SentHistory {
  const messages = new SentMessages(reading)
  messages.addPrompt(instructions ?? '')
  // This API divides a reply into items.
  const reply = (content: readonly ContentBlock[]) => messages.addReply(content, { continues: true })
  for (const [i, item] of input.entries()) {
    switch (item?.type) {
      case 'message': {
        const content = toBlocks(item.content, `input.${i}.content`)
        if (item.role === 'system' || item.role === 'developer') messages.addPrompt(textContent({ content }))
        else if (item.role === 'user') messages.addUser(content)
        else reply(content)
        break
      }
      case 'function_call':
        reply([readCall(item.call_id, item.name, item.arguments)])
        break
      case 'custom_tool_call':
        reply([readCall(item.call_id, item.name, JSON.stringify({ input: item.input }))])
        break
      case 'function_call_output':
      case 'custom_tool_call_output':
        messages.addResult(item.call_id, toBlocks(item.output, `input.${i}.output`))
        break
      default:
    }
  }
  return messages.end()
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
