import type { FetchLike } from '@modelcontextprotocol/client'
import { PipeError } from '../error.ts'
import type { HttpRequest, Transport } from '../machine/transport.ts'

const methods: readonly HttpRequest['method'][] = ['GET', 'POST', 'DELETE']

/** Statuses whose answer has no body. */
const bodiless = [204, 205, 304]

/**
 * Sends what the client asks for over the program's own transport, with its proxies and certificates. `onEnd` is called when the answer to
 * a GET ends.
 */
export function fetchOver(transport: Transport, onEnd?: () => void): FetchLike {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    const known = methods.find((one) => one === method)
    if (known === undefined || (body !== undefined && body !== null && typeof body !== 'string'))
      throw new PipeError('internal', `cannot send ${method} with such a body`)
    const request: HttpRequest = {
      method: known,
      url: String(url),
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { body }),
    }
    const answer = await transport.send(request, { signal: signal ?? new AbortController().signal })
    const { status } = answer
    const ended = known === 'GET' && status === 200 ? onEnd : undefined
    return new Response(bodiless.includes(status) ? null : streamOf(answer.body, ended), {
      status,
      headers: answer.headers,
    })
  }
}

/** Passes a body on as it is pulled. Cancelling it closes the socket. */
function streamOf(
  body: AsyncIterable<Uint8Array>,
  onEnd: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = chunks.next()
      next.then(({ done }) => (done === true ? onEnd() : undefined), onEnd)
      const { done, value } = await next
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
