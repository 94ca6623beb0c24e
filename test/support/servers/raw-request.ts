import { type IncomingHttpHeaders, request } from 'node:http'

export interface RawRequest {
  readonly method?: string
  /** Sent as it is. */
  readonly path?: string
  /** `Host` and all others are sent as they are. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent in chunks, unless a header gives its length. */
  readonly body?: string | AsyncIterable<string | Uint8Array>
  /** Connects to this socket file instead of the address in the URL. */
  readonly socketPath?: string
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request as no browser would let a page do. */
export function rawRequest(
  url: string,
  { method = 'GET', path = '/health/live', headers = {}, body = '', socketPath }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const target = socketPath === undefined ? new URL(url) : undefined
    const to = target === undefined ? { socketPath } : { host: target.hostname, port: target.port }
    const outgoing = request({ ...to, method, path, headers, agent: false }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
      )
      incoming.once('error', reject)
    })
    outgoing.once('error', reject)
    if (typeof body === 'string') outgoing.end(body)
    else void writeAll(outgoing, body).catch(reject)
  })
}

async function writeAll(
  outgoing: ReturnType<typeof request>,
  body: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  for await (const piece of body) {
    if (outgoing.destroyed) return
    if (outgoing.write(piece)) continue
    await new Promise<void>((resolve) => {
      const go = () => {
        outgoing.off('drain', go)
        outgoing.off('close', go)
        resolve()
      }
      outgoing.on('drain', go)
      outgoing.on('close', go)
    })
  }
  outgoing.end()
}
