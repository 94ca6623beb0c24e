import { CallIds } from '../../call-ids.ts'
import { unreachable } from '../../error.ts'
import { list, object, text } from '../../http/dialect/json-fields.ts'
import { type Author, readOwnData } from '../../http/dialect/own-data.ts'
import type { JsonObject } from '../../json-value.ts'
import type {
  AssistantMessage,
  ContentBlock,
  Message,
  ToolCallBlock,
  ToolResultMessage,
} from '../../message.ts'
import type { Request } from '../../provider.ts'
import { withoutUnseen } from '../../sight.ts'
import { acceptableName } from '../../tool-name.ts'
import { inputParts } from './content.ts'

/** Whom the request goes to. */
interface Listener extends Author {
  readonly ids: CallIds
}

/**
 * The conversation after the system prompt, item by item; what is empty is left out. What the server wrote goes back to it in the
 * items that it came in, and only to the same provider and model.
 */
export function inputItems(request: Request, provider: string): readonly JsonObject[] {
  const listener = { provider, model: request.model, ids: new CallIds() }
  return withoutUnseen(request.messages, request.info).flatMap((message) => toItems(message, listener))
}

function toItems(message: Message, listener: Listener): readonly JsonObject[] {
  switch (message.type) {
    case 'user': {
      const content = inputParts(message.content)
      return content.length > 0 ? [{ type: 'message', role: 'user', content }] : []
    }
    case 'assistant':
      return outputItems(message, listener)
    case 'tool_result':
      return [callOutput(message, listener.ids)]
    default:
      return unreachable(message)
  }
}

/**
 * Thinking is refused without what followed it, as a reply that was cut leaves it; and what followed is refused under its own id
 * without the thinking. So a message either goes back whole or as the words and calls that it holds.
 */
function outputItems({ content }: AssistantMessage, listener: Listener): readonly JsonObject[] {
  // The items that the blocks came in, as far as the blocks do not hold them.
  const written = content.map((block) => object(readOwnData(block, listener)?.['item']))
  const isWhole = content.every((block, i) => isComplete(block, written[i]))
  const items = content.flatMap((block, i) =>
    outputItem(block, isWhole ? written[i] : undefined, listener.ids),
  )
  return items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1)
}

/** Thinking has to stand in its item: the server stores nothing that an id could refer to. */
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

/** A call that was cut has an error result; it goes with arguments that are JSON, because servers check. */
function callItem(block: ToolCallBlock, written: JsonObject | undefined, ids: CallIds): JsonObject {
  const { id, name, arguments: args } = block
  return {
    type: 'function_call',
    ...written,
    call_id: ids.begin(id),
    name: acceptableName(name),
    arguments: JSON.stringify(args ?? {}),
  }
}

function callOutput(message: ToolResultMessage, ids: CallIds): JsonObject {
  const parts = inputParts(message.content)
  const texts = parts.flatMap((part) => (part.type === 'input_text' ? [part.text] : []))
  const output = texts.length === parts.length ? texts.join('\n\n') || '(no output)' : parts
  return { type: 'function_call_output', call_id: ids.get(message.toolCallId), output }
}
