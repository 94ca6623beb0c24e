import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { endpoint } from '../http/dialect/endpoint.ts'
import { keyHeaders } from '../http/dialect/key-header.ts'
import { sentJson } from '../http/dialect/sent-json.ts'
import type { ServerAccess } from '../machine/model-server.ts'
import type { HttpRequest } from '../machine/transport.ts'
import type { MessagesBody } from './request.ts'

/** The API version that all servers of this dialect support. The SDK's own, 2026-10-21, refuses `temperature`. */
const version = '2023-06-01'

/** The SDK's headers that a server needs. The others describe this machine or come from the environment. */
const needed: readonly string[] = ['accept', 'anthropic-version', 'content-type']

/**
 * Composes a request with the SDK, which sends nothing: our transport does. The SDK's reader would lose events without an
 * `event:` line and treat an abort as the end. Adds the key here, so that no error of the SDK can hold it.
 */
export async function composeRequest(access: ServerAccess, body: MessagesBody): Promise<HttpRequest> {
  const client = new BaseAnthropic({
    // All are unused, but without them the SDK would read the environment, its own files and Node's `fetch`.
    baseURL: 'https://api.anthropic.com',
    apiKey: '',
    fetch: () => Promise.reject(new Error('the SDK sends nothing')),
    logLevel: 'off',
    openTelemetry: false,
    defaultHeaders: { 'anthropic-version': version },
  })
  const { req: composed } = await client.buildRequest({
    method: 'post',
    path: '/v1/messages',
    // As text, which the SDK passes on: for an object it would load undici to see whether it is a form.
    body: sentJson(body),
    headers: { 'content-type': 'application/json' },
  })
  return {
    method: 'POST',
    url: endpoint(access.baseUrl, '/v1/messages'),
    headers: {
      ...Object.fromEntries(needed.map((name) => [name, composed.headers.get(name) ?? ''])),
      ...keyHeaders(access, 'x-api-key'),
      ...access.headers,
    },
    body: String(composed.body),
  }
}
