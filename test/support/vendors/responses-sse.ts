import type { ScriptBlock } from '../../../src/replay/script.ts'
import type { ReplyEnd } from '../models/fake-server.ts'
import { deltasOf } from './deltas.ts'

/**
 * Encodes a reply as server-sent events of OpenAI's Responses. A call without an id gets `call_` and its position in the reply.
 * Thinking is a summary, encrypted as `enc_` and its position. `finishReason`: why the reply is incomplete.
 */
export function responseEvents(blocks: readonly ScriptBlock[], end: ReplyEnd = {}): string[] {
  const usage = end.usage ?? { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const response = { id: 'resp_1', object: 'response', model: 'fake-1', error: null }
  const status = end.finishReason === undefined ? 'completed' : 'incomplete'
  const incomplete_details = end.finishReason === undefined ? null : { reason: end.finishReason }
  const output = blocks.map((block, index) => finished(block, index))
  return [
    event('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } }),
    ...blocks.flatMap((block, output_index) => [
      event('response.output_item.added', { output_index, item: begun(output[output_index]) }),
      ...texts(block, output_index),
      event('response.output_item.done', { output_index, item: output[output_index] }),
    ]),
    event(`response.${status}`, { response: { ...response, status, incomplete_details, output, usage } }),
  ]
}

/** Encodes one event, with its name on a separate line. */
export function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function finished(block: ScriptBlock, index: number): object {
  switch (block.type) {
    case 'thinking': {
      const summary = [{ type: 'summary_text', text: block.thinking }]
      return { id: `rs_${index}`, type: 'reasoning', encrypted_content: `enc_${index}`, summary }
    }
    case 'text': {
      const content = [{ type: 'output_text', annotations: [], text: block.text }]
      return { id: `msg_${index}`, type: 'message', status: 'completed', role: 'assistant', content }
    }
    case 'tool_call':
      return {
        id: `fc_${index}`,
        type: 'function_call',
        status: 'completed',
        call_id: block.id ?? `call_${index}`,
        name: block.name,
        arguments: JSON.stringify(block.arguments),
      }
  }
}

/** An item before its content. */
function begun(item: object | undefined): object {
  const empty = { summary: [], content: [], arguments: '', status: 'in_progress' }
  return Object.fromEntries(Object.entries({ ...item, ...empty }).filter(([key]) => item && key in item))
}

/** The text events of an item: its pieces, then the whole. */
function texts(block: ScriptBlock, output_index: number): string[] {
  const position = { output_index, content_index: 0, summary_index: 0 }
  const say = (name: string, field: string, text: string) => [
    ...deltasOf(text).map((delta) =>
      event(`response.${name}.delta`, { ...position, delta, obfuscation: 'xyz' }),
    ),
    event(`response.${name}.done`, { ...position, [field]: text }),
  ]
  switch (block.type) {
    case 'thinking':
      return say('reasoning_summary_text', 'text', block.thinking)
    case 'text':
      return say('output_text', 'text', block.text)
    case 'tool_call':
      return say('function_call_arguments', 'arguments', JSON.stringify(block.arguments))
  }
}
