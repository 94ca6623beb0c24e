import { createChatProvider } from '../../../src/openai/chat/provider.ts'
import type { Provider } from '../../../src/provider.ts'
import type { ServerAccess } from '../../../src/server.ts'
import type { HttpRequest } from '../../../src/transport.ts'
import { createHandClock } from '../../support/hand-clock.ts'
import { countingIds } from '../../support/ids.ts'
import { type Playback, playback } from '../../support/playback.ts'

/** A provider over a transport that plays the answer. */
export function chat(
  answer: Playback,
  options: Partial<ServerAccess> & { readonly sent?: HttpRequest[] } = {},
): Provider {
  const { sent, ...rest } = options
  return createChatProvider({
    name: 'openai',
    baseUrl: 'https://api.example.com/v1',
    transport: playback(answer, sent),
    newId: countingIds(),
    clock: createHandClock(),
    ...rest,
  })
}

/** Server-sent events, each an object, and `[DONE]`. */
export function sse(...chunks: readonly object[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('')
}

/** One chunk with one delta. */
export function delta(fields: object, finishReason: string | null = null): object {
  return { choices: [{ index: 0, delta: fields, finish_reason: finishReason }] }
}
