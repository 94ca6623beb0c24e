import type { ScriptBlock } from '../../../src/replay/script.ts'
import type { ReplyEnd } from '../models/fake-server.ts'
import { deltasOf } from './deltas.ts'

/**
 * Encodes a reply as server-sent events of Anthropic's Messages, including `message_stop`. A call without an id gets `toolu_` and
 * its position in the reply; thinking is signed with `sig_` and its position.
 */
export function messageEvents(blocks: readonly ScriptBlock[], end: ReplyEnd = {}): string[] {
  const calls = blocks.some((block) => block.type === 'tool_call')
  const { input_tokens = 10, ...usage } = end.usage ?? {}
  return [
    event('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'fake-1',
        content: [],
        stop_reason: null,
        usage: { input_tokens, output_tokens: 1 },
      },
    }),
    ...blocks.flatMap((block, index) => [
      event('content_block_start', { index, content_block: opened(block, index) }),
      event('ping', {}),
      ...deltas(block, index).map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: end.finishReason ?? (calls ? 'tool_use' : 'end_turn'), stop_sequence: null },
      usage: { output_tokens: 5, ...usage },
    }),
    event('message_stop', {}),
  ]
}

/** Encodes one event, with its name on a separate line. */
export function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function opened(block: ScriptBlock, index: number): object {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'text':
      return { type: 'text', text: '' }
    case 'tool_call':
      return { type: 'tool_use', id: block.id ?? `toolu_${index}`, name: block.name, input: {} }
  }
}

function deltas(block: ScriptBlock, index: number): object[] {
  switch (block.type) {
    case 'thinking':
      return [
        ...deltasOf(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: `sig_${index}` },
      ]
    case 'text':
      return deltasOf(block.text).map((text) => ({ type: 'text_delta', text }))
    case 'tool_call':
      return ['', ...deltasOf(JSON.stringify(block.arguments))].map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }))
  }
}
