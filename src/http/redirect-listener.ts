import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { PipeError } from '../error.ts'

/** Waits on this machine for a browser that a sign-in sends back. */
export interface RedirectListener {
  readonly port: number
  /**
   * Resolves with the query of the first request that counts. Others are refused, and told to `onForeign`. Throws `aborted`.
   */
  answer(
    counts: (query: URLSearchParams) => boolean,
    options: { readonly signal: AbortSignal; readonly onForeign: () => void },
  ): Promise<URLSearchParams>
  close(): Promise<void>
}

/** The path that browsers are sent back to. */
export const redirectPath = '/callback'

const ownOrigin = 'http://127.0.0.1'

/** Listens on 127.0.0.1. Port 0 is a free one. Throws `conflict` if another program uses the port. */
export async function listenForRedirect(port: number): Promise<RedirectListener> {
  let onQuery: (query: URLSearchParams) => boolean = () => false
  const server = createServer((request, response) => respond(request, response, (query) => onQuery(query)))
  await listening(server, port)
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : port,
    answer: (counts, { signal, onForeign }) =>
      new Promise((resolve, reject) => {
        const onAbort = () => reject(new PipeError('aborted', 'interrupted'))
        if (signal.aborted) onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        onQuery = (query) => {
          const isOurs = counts(query)
          if (!isOurs) onForeign()
          if (!isOurs) return false
          signal.removeEventListener('abort', onAbort)
          resolve(query)
          return true
        }
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new PipeError('conflict', `cannot listen on 127.0.0.1:${port}: ${error.message}`, { cause: error }),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
}

function respond(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  take: (query: URLSearchParams) => boolean,
): void {
  // Anything on this machine may send a target that is not a URL.
  const target = URL.canParse(url, ownOrigin) ? new URL(url, ownOrigin) : undefined
  const isAsked = method === 'GET' && target?.pathname === redirectPath
  const isTaken = isAsked && take(target.searchParams)
  const status = isTaken ? 200 : isAsked || target === undefined ? 400 : 404
  const text = isTaken
    ? 'pipe has the answer. You can close this page and return to the terminal.'
    : 'This is not the answer that pipe is waiting for.'
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(`${text}\n`)
}
