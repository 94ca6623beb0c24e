import { createGeminiProvider } from '../../src/google/provider.ts'
import type { AssistantMessage } from '../../src/message.ts'
import { complete, type Provider } from '../../src/provider.ts'
import type { ServerAccess } from '../../src/server.ts'
import type { HttpRequest } from '../../src/transport.ts'
import { createHandClock } from '../support/hand-clock.ts'
import { countingIds } from '../support/ids.ts'
import { text, user } from '../support/messages.ts'
import { type Playback, playback } from '../support/playback.ts'

/** A provider over a transport that plays the answer. */
export function gemini(
  answer: Playback,
  options: Partial<ServerAccess> & { readonly sent?: HttpRequest[] } = {},
): Provider {
  const { sent, ...rest } = options
  return createGeminiProvider({
    name: 'gemini',
    baseUrl: 'https://api.example.com',
    transport: playback(answer, sent),
    newId: countingIds(),
    clock: createHandClock(),
    ...rest,
  })
}

export const request = { model: 'asked', systemPrompt: '', messages: [user(text('hello'))], tools: [] }

/** The message that these bytes are. */
export function read(bytes: string): Promise<AssistantMessage> {
  return complete(gemini({ bytes }), request, { signal: new AbortController().signal })
}
