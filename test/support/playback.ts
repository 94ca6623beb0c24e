import type { Provider } from '../../src/provider.ts'
import type { ServerAccess } from '../../src/server.ts'
import type { HttpRequest, Transport } from '../../src/transport.ts'
import { createHandClock } from './hand-clock.ts'
import { countingIds } from './ids.ts'

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

/** Makes providers of a dialect that are played an answer. What they send is added to `sent`. */
export function player(connect: (access: ServerAccess) => Provider, { name, baseUrl }: Named): Player {
  return (answer, { sent, ...access } = {}) =>
    connect({
      name,
      baseUrl,
      transport: playback(answer, sent),
      newId: countingIds(),
      clock: createHandClock(),
      ...access,
    })
}

type Named = Pick<ServerAccess, 'name' | 'baseUrl'>

export type Player = (
  answer: Playback,
  options?: Partial<ServerAccess> & { readonly sent?: HttpRequest[] },
) => Provider

/** The bytes of an answer as they arrive. */
export async function* body({
  bytes,
  sizes = [],
  failure,
}: Playback): AsyncGenerator<Uint8Array, void, undefined> {
  const all = Buffer.from(bytes)
  for (let start = 0, i = 0; start < all.length; i++) {
    const size = sizes[Math.min(i, sizes.length - 1)] ?? all.length
    yield all.subarray(start, start + size)
    start += size
  }
  if (failure !== undefined) throw failure
}
