import type { Socket } from 'node:net'
import type { Connections } from './bounds/connections.ts'
import { headerLines, setHeaders } from './headers.ts'
import { errorResponse } from './refusal.ts'

const code = 'INVALID_REQUEST'

/** Answers a request whose path or Host is none. */
export function badRequest(): Response {
  const response = errorResponse({ status: 400, code, message: 'the path or the Host header is not valid' })
  setHeaders(response.headers)
  return response
}

/** Answers bytes that are no request, or arrived too slowly, and closes the connection. */
export function refuseBytes(
  error: Error & { readonly code?: string },
  socket: Socket,
  connections: Connections,
): void {
  // Bytes of our own would become part of the answer that is under way.
  if (!socket.writable || connections.isAnswering(socket)) return void socket.destroy()
  const [status, message] = statuses[error.code ?? ''] ?? ['400 Bad Request', 'this is not HTTP']
  const body = JSON.stringify({ code, message })
  const own = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n`
  socket.write(`HTTP/1.1 ${status}\r\n${headerLines.join('')}${own}\r\n${body}`)
  socket.destroySoon()
}

const statuses: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the path and the headers are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
}
