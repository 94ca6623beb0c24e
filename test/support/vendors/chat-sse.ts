import type { ScriptBlock } from '../../../src/replay/script.ts'
import type { ReplyEnd } from '../models/fake-server.ts'
import { deltasOf } from './deltas.ts'

/**
 * Encodes a reply as server-sent events of Chat Completions, including usage and `[DONE]`. A call without an id gets `call_` and
 * its position in the reply.
 */
export function replyEvents(blocks: readonly ScriptBlock[], end: ReplyEnd = {}): string[] {
  const calls = blocks.some((block) => block.type === 'tool_call')
  const usage = end.usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const finishReason = end.finishReason ?? (calls ? 'tool_calls' : 'stop')
  return [
    ...blocks.flatMap((block, index) => deltas(block, index).map((delta) => chunk(delta))),
    chunk({}, finishReason),
    `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'fake-1', choices: [], usage })}\n\n`,
    'data: [DONE]\n\n',
  ]
}

/** Encodes one event with one delta. */
function chunk(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'fake-1', choices })}\n\n`
}

function deltas(block: ScriptBlock, index: number): object[] {
  switch (block.type) {
    case 'thinking':
      return deltasOf(block.thinking).map((reasoning_content) => ({ reasoning_content }))
    case 'text':
      return deltasOf(block.text).map((content) => ({ content }))
    case 'tool_call': {
      const id = block.id ?? `call_${index}`
      const begin = { index, id, type: 'function', function: { name: block.name, arguments: '' } }
      const rest = deltasOf(JSON.stringify(block.arguments)).map((text) => ({
        index,
        function: { arguments: text },
      }))
      return [begin, ...rest].map((call) => ({ tool_calls: [call] }))
    }
  }
}
