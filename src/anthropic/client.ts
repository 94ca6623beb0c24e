import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { endpoint } from '../http/dialect/endpoint.ts'
import { keyHeaders } from '../http/dialect/key.ts'
import type { ServerAccess } from '../server.ts'
import type { HttpRequest } from '../transport.ts'
import type { MessagesBody } from './request.ts'

/** The version of the API that every server of this dialect speaks. The SDK's own, 2026-10-21, refuses `temperature`. */
const version = '2023-06-01'

/** Of the headers that the SDK composes, those that a server needs. The others tell of this machine, or come from the environment. */
const needed: readonly string[] = ['accept', 'anthropic-version', 'content-type', 'user-agent']

/**
 * A request as the SDK composes it. Its client sends nothing itself: its `fetch` hands the request over, our transport sends it
 * and the reply is read from there, because the SDK's own reader loses events that have no `event:` line and takes an abort for
 * the end. The key is added here, so that no error of the SDK can hold it.
 */
export async function composeRequest(access: ServerAccess, body: MessagesBody): Promise<HttpRequest> {
  let composed: RequestInit | undefined
  const client = new BaseAnthropic({
    // Neither is used, but without them it would look into the environment and into files of its own.
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
