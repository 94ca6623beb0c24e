import type { ScriptBlock } from '../../../src/replay/script.ts'
import type { ReplyEnd } from '../models/fake-server.ts'
import { deltasOf } from './deltas.ts'

/** Encodes a reply as lines of Ollama's own API, including the last. Calls have an id only if the script gives one. */
export function replyLines(blocks: readonly ScriptBlock[], end: ReplyEnd = {}): string[] {
  const usage = end.usage ?? { prompt_eval_count: 10, eval_count: 5 }
  return [
    ...blocks.flatMap((block) => messages(block).map((message) => line({ message, done: false }))),
    line({
      message: { content: '' },
      done: true,
      done_reason: end.finishReason ?? 'stop',
      total_duration: 1,
      ...usage,
    }),
  ]
}

/** Encodes one line; only special fields of its message need be given. */
function line({ message, ...fields }: { readonly message: object } & Record<string, unknown>): string {
  const whole = { model: 'fake-1', created_at: '2026-02-18T12:00:00Z', ...fields }
  return `${JSON.stringify({ ...whole, message: { role: 'assistant', content: '', ...message } })}\n`
}

function messages(block: ScriptBlock): object[] {
  switch (block.type) {
    case 'thinking':
      return deltasOf(block.thinking).map((thinking) => ({ thinking }))
    case 'text':
      return deltasOf(block.text).map((content) => ({ content }))
    case 'tool_call': {
      const { id, name, arguments: args } = block
      return [{ tool_calls: [{ ...(id === undefined ? {} : { id }), function: { name, arguments: args } }] }]
    }
  }
}
