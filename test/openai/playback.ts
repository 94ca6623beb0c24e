import { type ChatOptions, createChatProvider } from '../../src/openai/provider.ts'
import type { Provider } from '../../src/provider.ts'
import type { HttpRequest, Transport } from '../../src/transport.ts'
import { countingIds } from '../support/ids.ts'
import { stillClock } from '../support/still-clock.ts'

export interface Playback {
  readonly bytes: string | Uint8Array
  /** Sizes of the pieces; the last one goes on. Default: all at once. */
  readonly sizes?: readonly number[]
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Thrown by the body after its last byte. */
  readonly failure?: Error
}

/** A transport that answers everything with the same bytes and notes what was sent. */
function playback(answer: Playback, sent: HttpRequest[] = []): Transport {
  return {
    send: async (request) => {
      sent.push(request)
      return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: body(answer) }
    },
    close: () => {},
  }
}

/** A provider over such a transport. */
export function chat(
  answer: Playback,
  options: Partial<ChatOptions> & { readonly sent?: HttpRequest[] } = {},
): Provider {
  const { sent, ...rest } = options
  return createChatProvider({
    name: 'openai',
    baseUrl: 'https://api.example.com/v1',
    transport: playback(answer, sent),
    newId: countingIds(),
    clock: stillClock(),
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

async function* body({ bytes, sizes = [], failure }: Playback): AsyncGenerator<Uint8Array, void, undefined> {
  const all = Buffer.from(bytes)
  for (let start = 0, i = 0; start < all.length; i++) {
    const size = sizes[Math.min(i, sizes.length - 1)] ?? all.length
    yield all.subarray(start, start + size)
    start += size
  }
  if (failure !== undefined) throw failure
}
