import { createOllamaProvider } from '../../src/ollama/provider.ts'
import type { Provider } from '../../src/provider.ts'
import type { ServerAccess } from '../../src/server.ts'
import type { HttpRequest } from '../../src/transport.ts'
import { countingIds } from '../support/ids.ts'
import { type Playback, playback } from '../support/playback.ts'
import { stillClock } from '../support/still-clock.ts'

/** A provider over a transport that plays the answer. */
export function ollama(
  answer: Playback,
  options: Partial<ServerAccess> & { readonly sent?: HttpRequest[] } = {},
): Provider {
  const { sent, ...rest } = options
  return createOllamaProvider({
    name: 'ollama',
    baseUrl: 'http://host:11434',
    transport: playback(answer, sent),
    newId: countingIds(),
    clock: stillClock(),
    ...rest,
  })
}

/** The lines of a reply, each an object. */
export function lines(...objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('')
}

/** The last line. */
export const done = {
  model: 'm-1',
  message: { role: 'assistant', content: '' },
  done: true,
  done_reason: 'stop',
}
