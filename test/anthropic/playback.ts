import { createAnthropicProvider } from '../../src/anthropic/provider.ts'
import { player } from '../support/models/playback.ts'
import { event } from '../support/vendors/anthropic-sse.ts'

export const claude = player(createAnthropicProvider, {
  name: 'anthropic',
  baseUrl: 'https://api.example.com',
})

/** The beginning of a reply, up to its first block. */
export const start = event('message_start', {
  message: { id: 'msg_1', model: 'claude-1', usage: { input_tokens: 3, output_tokens: 1 } },
})

/** One whole block: its beginning and its deltas. */
export function block(index: number, content: object, ...deltas: readonly object[]): string {
  return [
    event('content_block_start', { index, content_block: content }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ].join('')
}

/** A block of text. */
export function say(text: string, index = 0): string {
  return block(index, { type: 'text', text: '' }, { type: 'text_delta', text })
}

/** The stop reason with the last usage. */
export function reason(stop_reason: string | null, usage: object = { output_tokens: 7 }): string {
  return event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage })
}

export const stop = event('message_stop', {})

/** The end of a reply. */
export function end(stopReason: string | null = 'end_turn', usage?: object): string {
  return reason(stopReason, usage) + stop
}
