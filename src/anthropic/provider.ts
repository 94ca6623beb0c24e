import type { AdapterEvent, Finish } from '../accumulator.ts'
import { PipeError } from '../error.ts'
import { peek, readText } from '../http/body.ts'
import { endpoint } from '../http/endpoint.ts'
import { type Asked, eventObject, notAReply, responseError, streamError } from '../http/reported-error.ts'
import { readServerEvents } from '../http/server-events.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import type { Provider, Request } from '../provider.ts'
import type { ServerAccess } from '../server.ts'
import { adaptedProvider } from '../stream.ts'
import type { HttpResponse } from '../transport.ts'
import { ReplyReader } from './reply.ts'
import { messagesBody } from './request.ts'

/** Bytes of a body that is no stream, of which the beginning is quoted. */
const maxError = 64 * 1024

/**
 * A provider for everyone who speaks Anthropic's Messages. Streams throw `auth`, `not_found`, `invalid`, `context_overflow`,
 * `rate_limited`, `overloaded` for what the server reports, with `details` of `responseDetails`; `protocol` for what is no reply;
 * `network` for one that ends without its last event; and what the transport throws.
 */
export function createAnthropicProvider(access: ServerAccess): Provider {
  return adaptedProvider(access.name, (request) => (signal) => ask(access, request, signal), access)
}

async function* ask(
  access: ServerAccess,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<AdapterEvent, Finish, undefined> {
  const { name: provider, apiKey, newId, transport, clock } = access
  const url = endpoint(access.baseUrl, '/v1/messages')
  const asked: Asked = { provider, model: request.model, apiKey, url }
  // Loads the SDK.
  const { composeRequest } = await import('./client.ts')
  const composed = await composeRequest(access, url, messagesBody(request, provider))
  const response = await transport.send(composed, { signal })
  if (response.status < 200 || response.status >= 300)
    throw responseError(response, await readText(response.body, maxError), asked, clock.now())
  const reader = new ReplyReader(newId)
  for await (const chunk of chunks(response, asked)) {
    // Not `yield*`, which costs a promise more for each delta.
    for (const event of reader.read(chunk)) yield event
    if (reader.isFinished) return reader.finish()
  }
  throw new PipeError('network', `the reply of ${provider} was cut off`)
}

async function* chunks(response: HttpResponse, asked: Asked): AsyncGenerator<JsonObject, void, undefined> {
  const { first, body } = await peek(response.body)
  if (first === '<') throw notAReply(first, asked)
  if (first === '{' || first === '[') throw wholeAnswer(await readText(body, maxError), asked)
  for await (const event of readServerEvents(body)) {
    const chunk = eventObject(event, asked)
    if (chunk !== undefined) yield chunk
  }
}

/** One object where a stream was asked for: an error that goes by status 200, or another kind of server. */
function wholeAnswer(source: string, asked: Asked): PipeError {
  const answer = parseJson(source)
  const reported = isJsonObject(answer) ? streamError(answer, undefined, asked) : undefined
  return reported ?? notAReply(source, asked)
}
