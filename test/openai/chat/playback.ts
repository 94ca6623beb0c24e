import { createChatProvider } from '../../../src/openai/chat/provider.ts'
import { player } from '../../support/models/playback.ts'

export const chat = player(createChatProvider, { name: 'openai', baseUrl: 'https://api.example.com/v1' })

/** Formats objects as server-sent events, followed by `[DONE]`. */
export function sse(...chunks: readonly object[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('')
}

/** One chunk with one delta. */
export function delta(fields: object, finishReason: string | null = null): object {
  return { choices: [{ index: 0, delta: fields, finish_reason: finishReason }] }
}
