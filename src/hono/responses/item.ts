import { isJsonObject, parseJson } from '../../json-value.ts'
import type { ContentBlock } from '../../message.ts'

/** Supplies what the items of a response need. */
export interface ItemFacts {
  /** Makes the id of an item: a prefix and what no other id has. */
  readonly newId: (prefix: string) => string
  /** The names of the tools whose input is a text. */
  readonly custom: ReadonlySet<string>
}

export interface CallFacts {
  readonly callId: string
  readonly name: string
  /** JSON text. */
  readonly text: string
}

export type ItemStatus = 'in_progress' | 'completed'

export function messageItem(id: string, text: string, status: ItemStatus): object {
  const content = status === 'completed' ? [textPart(text)] : []
  return { id, type: 'message', status, role: 'assistant', content }
}

export function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

export function reasoningItem(id: string, text: string): object {
  return { id, type: 'reasoning', summary: text === '' ? [] : [{ type: 'summary_text', text }] }
}

export function callItem(
  id: string,
  { callId, name, text }: CallFacts,
  isCustom: boolean,
  status: ItemStatus,
): object {
  const base = { id, status, call_id: callId, name }
  return isCustom
    ? { ...base, type: 'custom_tool_call', input: customInput(text) }
    : { ...base, type: 'function_call', arguments: text }
}

/** The text in the arguments of a tool whose input is one. A model that sends something else is taken at its word. */
export function customInput(text: string): string {
  const args = parseJson(text)
  const input = isJsonObject(args) ? args['input'] : args
  return typeof input === 'string' ? input : text
}

/** The item of a block of a whole reply; none for what this API cannot show. */
export function itemOf(block: ContentBlock, { newId, custom }: ItemFacts): readonly object[] {
  switch (block.type) {
    case 'text':
      return [messageItem(newId('msg'), block.text, 'completed')]
    case 'thinking':
      return block.redacted === true ? [] : [reasoningItem(newId('rs'), block.thinking)]
    case 'tool_call': {
      const { id: callId, name, arguments: args, argumentsRaw } = block
      const text = argumentsRaw ?? JSON.stringify(args)
      return [callItem(newId('fc'), { callId, name, text }, custom.has(name), 'completed')]
    }
    default:
      return []
  }
}
