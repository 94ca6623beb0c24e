import { unreachable } from '../../error.ts'
import { CallIds } from '../../http/dialect/call-ids.ts'
import { type Author, readOwnData } from '../../http/dialect/own-data.ts'
import { sentArguments, sentJson } from '../../http/dialect/sent-json.ts'
import { acceptableName } from '../../http/dialect/tool-name.ts'
import type { JsonObject } from '../../json-value.ts'
import { withoutUnsupported } from '../../media/media-support.ts'
import type {
  AssistantMessage,
  ContentBlock,
  Message,
  ToolCallBlock,
  ToolResultMessage,
} from '../../message.ts'
import { noOutput } from '../../message.ts'
import type { Request } from '../../provider.ts'
import { list, object, text } from '../../wire/json-fields.ts'
import { inputParts } from './content.ts'

/** The server and model that get the request. */
interface Recipient extends Author {
  readonly ids: CallIds
}

/**
 * Converts the conversation after the system prompt to items and leaves out empty ones. Sends the server's own items back
 * as it wrote them, but only to the same provider and model.
 */
export function inputItems(request: Request, provider: string): readonly JsonObject[] {
  const recipient = { provider, model: request.model, ids: new CallIds() }
  return withoutUnsupported(request.messages, request.info).flatMap((message) => toItems(message, recipient))
}

function toItems(message: Message, recipient: Recipient): readonly JsonObject[] {
  switch (message.type) {
    case 'user': {
      const content = inputParts(message.content)
      return content.length > 0 ? [{ type: 'message', role: 'user', content }] : []
    }
    case 'assistant':
      return outputItems(message, recipient)
    case 'tool_result':
      return [callOutput(message, recipient.ids)]
    default:
      return unreachable(message)
  }
}

/**
 * Converts an assistant message. Servers refuse thinking without the items after it, as in a cut reply, and refuse those items
 * by id without the thinking. So a message goes back either whole or only as its text and calls.
 */
function outputItems({ content }: AssistantMessage, recipient: Recipient): readonly JsonObject[] {
  // The original items of the blocks, without the fields that the blocks hold.
  const written = content.map((block) => object(readOwnData(block, recipient)?.['item']))
  const isWhole = content.every((block, i) => isComplete(block, written[i]))
  const items = content.flatMap((block, i) =>
    outputItem(block, isWhole ? written[i] : undefined, recipient.ids),
  )
  return items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1)
}

/** Whether a block can be sent back. Thinking needs its content, as the server stores nothing under its id. */
function isComplete(block: ContentBlock, written: JsonObject | undefined): boolean {
  if (block.type !== 'thinking') return written !== undefined
  return text(written?.['encrypted_content']) !== '' || list(written?.['content']).length > 0
}

function outputItem(
  block: ContentBlock,
  written: JsonObject | undefined,
  ids: CallIds,
): readonly JsonObject[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [messageItem(block.text, written)]
    case 'thinking':
      return written === undefined ? [] : [written]
    case 'tool_call':
      return [callItem(block, written, ids)]
    default:
      return []
  }
}

function messageItem(text: string, written: JsonObject | undefined): JsonObject {
  const content = written === undefined ? text : [{ type: 'output_text', text, annotations: [] }]
  return { type: 'message', role: 'assistant', ...written, content }
}

function callItem(block: ToolCallBlock, written: JsonObject | undefined, ids: CallIds): JsonObject {
  const { id, name, arguments: args } = block
  return {
    type: 'function_call',
    ...written,
    call_id: ids.begin(id),
    name: acceptableName(name),
    arguments: sentJson(sentArguments(args)),
  }
}

function callOutput(message: ToolResultMessage, ids: CallIds): JsonObject {
  const parts = inputParts(message.content)
  const texts = parts.flatMap((part) => (part.type === 'input_text' ? [part.text] : []))
  const output = texts.length === parts.length ? texts.join('\n\n') || noOutput : parts
  return { type: 'function_call_output', call_id: ids.get(message.toolCallId), output }
}
