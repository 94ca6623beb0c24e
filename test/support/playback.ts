import type { HttpRequest, Transport } from '../../src/transport.ts'

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
export function playback(answer: Playback, sent: HttpRequest[] = []): Transport {
  return {
    send: async (request) => {
      sent.push(request)
      return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: body(answer) }
    },
    close: () => {},
  }
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
