import type { ServerAccess } from '../../../src/machine/model-server.ts'
import type { HttpRequest, Transport } from '../../../src/machine/transport.ts'
import type { Provider } from '../../../src/provider.ts'
import { createHandClock } from '../clocks/hand-clock.ts'
import { countingIds } from '../messages/ids.ts'

export interface Playback {
  readonly bytes: string | Uint8Array
  /** Sizes of the pieces; the last one repeats. Default: all at once. */
  readonly sizes?: readonly number[]
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Thrown by the body after its last byte. */
  readonly failure?: Error
}

/** A transport that answers every request with the same bytes and records requests. */
function playback(answer: Playback, sent: HttpRequest[] = []): Transport {
  return {
    send: async (request) => {
      sent.push(request)
      return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: body(answer) }
    },
    close: () => {},
  }
}

/** Creates providers of a dialect that receive an answer. Their requests are added to `sent`. */
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

/** Yields the bytes of an answer in pieces. */
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
