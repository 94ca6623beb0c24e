import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { endpoint } from '../http/dialect/endpoint.ts'
import { keyHeaders } from '../http/dialect/key-header.ts'
import { SentBodies } from '../http/dialect/sent-json.ts'
import type { ServerAccess } from '../machine/model-server.ts'
import type { HttpRequest } from '../machine/transport.ts'
import type { MessagesBody } from './request.ts'

/** The API version that all servers of this dialect support. The SDK's own, 2026-10-21, refuses `temperature`. */
const version = '2023-06-01'

/** The SDK's headers that a server needs. The others describe this machine or come from the environment. */
const needed: readonly string[] = ['accept', 'anthropic-version', 'content-type']

/**
 * Composes requests to one server with the SDK, which sends nothing: our transport does. The SDK's reader would lose events without an
 * `event:` line and treat an abort as the end. Adds the key here, so that no error of the SDK can hold it.
 */
export class RequestComposer {
  readonly #access: ServerAccess
  readonly #bodies = new SentBodies()
  /** The same for every request, and composing them takes longer than the rest of a request. */
  #headers: Promise<Readonly<Record<string, string>>> | undefined

  constructor(access: ServerAccess) {
    this.#access = access
  }

  async compose(body: MessagesBody): Promise<HttpRequest> {
    const access = this.#access
    this.#headers ??= composeHeaders()
    const composed = await this.#headers
    return {
      method: 'POST',
      url: endpoint(access.baseUrl, '/v1/messages'),
      headers: { ...composed, ...keyHeaders(access, 'x-api-key'), ...access.headers },
      body: this.#bodies.encode(body, 'messages'),
    }
  }
}

/** Returns the SDK's headers of a request that a server needs. */
async function composeHeaders(): Promise<Readonly<Record<string, string>>> {
  const client = new BaseAnthropic({
    // All are unused, but without them the SDK would read the environment, its own files and Node's `fetch`.
    baseURL: 'https://api.anthropic.com',
    apiKey: '',
    fetch: () => Promise.reject(new Error('the SDK sends nothing')),
    logLevel: 'off',
    openTelemetry: false,
    defaultHeaders: { 'anthropic-version': version },
  })
  const { req } = await client.buildRequest({
    method: 'post',
    path: '/v1/messages',
    // As text, which the SDK passes on: for an object it would load undici to see whether it is a form.
    body: '',
    headers: { 'content-type': 'application/json' },
  })
  return Object.fromEntries(needed.map((name) => [name, req.headers.get(name) ?? '']))
}
