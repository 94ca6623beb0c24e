import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { endpoint } from '../http/dialect/endpoint.ts'
import { keyHeaders } from '../http/dialect/key.ts'
import type { ServerAccess } from '../server.ts'
import type { HttpRequest } from '../transport.ts'
import type { MessagesBody } from './request.ts'

/** The API version that all servers of this dialect support. The SDK's own, 2026-10-21, refuses `temperature`. */
const version = '2023-06-01'

/** The SDK's headers that a server needs. The others describe this machine or come from the environment. */
const needed: readonly string[] = ['accept', 'anthropic-version', 'content-type', 'user-agent']

/**
 * Composes a request with the SDK, which sends nothing: its `fetch` captures the request for our transport. The SDK's reader
 * would lose events without an `event:` line and treat an abort as the end. Adds the key here, so that no error of the SDK can
 * hold it.
 */
export async function composeRequest(access: ServerAccess, body: MessagesBody): Promise<HttpRequest> {
  let composed: RequestInit | undefined
  const client = new BaseAnthropic({
    // Both are unused, but without them the SDK would read the environment and its own files.
    baseURL: 'https://api.anthropic.com',
    apiKey: '',
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    defaultHeaders: { 'anthropic-version': version },
    fetch: async (_, init) => {
      composed = init
      return new Response()
    },
  })
  await client.post('/v1/messages', { body }).asResponse()
  const composedHeaders = [...new Headers(composed?.headers)].filter(([name]) => needed.includes(name))
  return {
    method: 'POST',
    url: endpoint(access.baseUrl, '/v1/messages'),
    headers: {
      ...Object.fromEntries(composedHeaders),
      ...keyHeaders(access, 'x-api-key'),
      ...access.headers,
    },
    body: String(composed?.body),
  }
}
