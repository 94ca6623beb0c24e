import type { AdapterEvent, Finish } from '../accumulator.ts'
import { isPipeError, PipeError } from '../error.ts'
import { peek, readText } from '../http/body.ts'
import { endpoint } from '../http/endpoint.ts'
import { list } from '../http/json-fields.ts'
import { type Asked, eventObject, notAReply, responseError, streamError } from '../http/reported-error.ts'
import { readServerEvents } from '../http/server-events.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import type { Provider, Request } from '../provider.ts'
import type { ServerAccess } from '../server.ts'
import { adaptedProvider } from '../stream.ts'
import type { HttpResponse } from '../transport.ts'
import { ReplyReader } from './reply.ts'
import { chatBody } from './request.ts'

/** Bytes of a body that is no stream: an error is quoted from its beginning, a whole reply needs all of itself. */
const maxError = 64 * 1024
const maxReply = 16 * 1024 * 1024

/**
 * A provider for everyone who speaks OpenAI's Chat Completions. Servers differ in data (`ServerAccess`), not in code.
 * Streams throw `auth`, `not_found`, `invalid`, `context_overflow`, `rate_limited`, `overloaded` for what the server reports,
 * with `details` of `responseDetails`; `protocol` for what is no reply; and what the transport throws.
 */
export function createChatProvider(access: ServerAccess): Provider {
  return adaptedProvider(access.name, (request) => (signal) => ask(access, request, signal), access)
}

async function* ask(
  access: ServerAccess,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<AdapterEvent, Finish, undefined> {
  const { name: provider, apiKey, newId } = access
  const { model } = request
  const asked: Asked = { provider, model, apiKey, url: endpoint(access.baseUrl, '/chat/completions') }
  const reader = new ReplyReader({ provider, model, newId })
  const response = await send(access, request, asked, signal)
  for await (const chunk of chunks(response, asked, () => reader.isFinished)) {
    // Not `yield*`, which costs a promise more for each delta.
    for (const event of reader.read(chunk)) yield event
  }
  const { events, finish } = reader.end()
  yield* events
  return finish
}

async function send(
  access: ServerAccess,
  request: Request,
  asked: Asked,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { name, apiKey, headers, quirks, transport, clock } = access
  const response = await transport.send(
    {
      method: 'POST',
      url: asked.url,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        ...headers,
      },
      body: JSON.stringify(chatBody(request, name, quirks)),
    },
    { signal },
  )
  if (response.status >= 200 && response.status < 300) return response
  throw responseError(response, await readText(response.body, maxError), asked, clock.now())
}

/** The chunks of a reply, up to its end. Throws `network` where the body ends before the reply does. */
async function* chunks(
  response: HttpResponse,
  asked: Asked,
  isFinished: () => boolean,
): AsyncGenerator<JsonObject, void, undefined> {
  const { first, body } = await peek(response.body)
  if (first === '<') throw notAReply(first, asked)
  if (first === '{' || first === '[') {
    yield wholeReply(await readText(body, maxReply), asked)
    return
  }
  try {
    for await (const event of readServerEvents(body)) {
      if (event.data === '[DONE]') return
      const chunk = eventObject(event, asked)
      if (chunk !== undefined) yield chunk
    }
  } catch (error) {
    // What is lost after the server said why it stopped is at most the usage.
    if (!(isFinished() && isLost(error))) throw error
  }
  if (!isFinished()) throw new PipeError('network', `the reply of ${asked.provider} was cut off`)
}

/** Servers that ignore `stream` answer with the whole reply as one object, servers that fail with an error. */
function wholeReply(source: string, asked: Asked): JsonObject {
  const reply = parseJson(source)
  if (isJsonObject(reply)) {
    const error = streamError(reply, undefined, asked)
    if (error !== undefined) throw error
    if (list(reply['choices']).length > 0) return reply
  }
  throw notAReply(source, asked)
}

function isLost(error: unknown): boolean {
  return isPipeError(error) && (error.code === 'network' || error.code === 'timeout')
}
