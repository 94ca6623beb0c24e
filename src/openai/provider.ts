import type { AdapterEvent, Finish } from '../accumulator.ts'
import type { Clock } from '../clock.ts'
import { isPipeError, PipeError } from '../error.ts'
import { peek, readText } from '../http/body.ts'
import { readServerEvents, type ServerEvent } from '../http/server-events.ts'
import type { NewId } from '../id.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import { type Provider, type Request, validateRequest } from '../provider.ts'
import { openStream } from '../stream.ts'
import type { HttpResponse, Transport } from '../transport.ts'
import { type Asked, notChat, quoted, responseError, streamError } from './failure.ts'
import { ReplyReader } from './reply.ts'
import { chatBody, type Quirks } from './request.ts'
import { list } from './wire.ts'

export interface ChatOptions {
  /** Names the provider in messages, errors and saved sessions. */
  readonly name: string
  /** With its version: `https://host/v1`. `/chat/completions` is added. */
  readonly baseUrl: string
  /** Sent as a bearer token. */
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly quirks?: Quirks
  readonly transport: Transport
  readonly newId: NewId
  readonly clock: Clock
}

/** Bytes of a body that is no stream: an error is quoted from its beginning, a whole reply needs all of itself. */
const maxError = 64 * 1024
const maxReply = 16 * 1024 * 1024

/**
 * A provider for everyone who speaks OpenAI's Chat Completions. Servers differ in data (`ChatOptions`), not in code.
 * Streams throw `auth`, `not_found`, `invalid`, `context_overflow`, `rate_limited`, `overloaded` for what the server reports,
 * with `details` of `responseDetails`; `protocol` for what is no reply; and what the transport throws.
 */
export function createChatProvider(options: ChatOptions): Provider {
  const { name, newId, clock } = options
  return {
    name,
    stream(request, { signal }) {
      validateRequest(request)
      const timestamp = new Date(clock.now()).toISOString()
      const speaker = { id: newId.message(), timestamp, provider: name, model: request.model }
      return openStream((inner) => ask(options, request, inner), speaker, signal)
    },
  }
}

async function* ask(
  options: ChatOptions,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<AdapterEvent, Finish, undefined> {
  const { name: provider, apiKey, newId } = options
  const { model } = request
  const asked: Asked = { provider, model, apiKey, url: endpoint(options.baseUrl) }
  const reader = new ReplyReader({ provider, model, newId })
  const response = await send(options, request, asked, signal)
  for await (const chunk of chunks(response, asked, () => reader.isFinished)) {
    // Not `yield*`, which costs a promise more for each delta.
    for (const event of reader.read(chunk)) yield event
  }
  const { events, finish } = reader.end()
  yield* events
  return finish
}

async function send(
  options: ChatOptions,
  request: Request,
  asked: Asked,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { name, apiKey, headers, quirks, transport, clock } = options
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
  if (first === '<') throw notChat('a web page', asked)
  if (first === '{' || first === '[') {
    yield wholeReply(await readText(body, maxReply), asked)
    return
  }
  try {
    for await (const event of readServerEvents(body)) {
      if (event.data === '[DONE]') return
      const chunk = readEvent(event, asked)
      if (chunk !== undefined) yield chunk
    }
  } catch (error) {
    // What is lost after the server said why it stopped is at most the usage.
    if (!(isFinished() && isLost(error))) throw error
  }
  if (!isFinished()) throw new PipeError('network', `the reply of ${asked.provider} was cut off`)
}

/** `undefined` for an event without data, and for one that the end of the body has cut. */
function readEvent({ event, data, unfinished }: ServerEvent, asked: Asked): JsonObject | undefined {
  if (data === '') return undefined
  const chunk = parseJson(data)
  if (isJsonObject(chunk)) {
    const error = streamError(chunk, event, asked)
    if (error !== undefined) throw error
    return chunk
  }
  if (unfinished) return undefined
  throw new PipeError(
    'protocol',
    `${asked.provider} sent what is no JSON object: ${quoted(data, asked.apiKey)}`,
  )
}

/** Servers that ignore `stream` answer with the whole reply as one object, servers that fail with an error. */
function wholeReply(source: string, asked: Asked): JsonObject {
  const reply = parseJson(source)
  if (isJsonObject(reply)) {
    const error = streamError(reply, undefined, asked)
    if (error !== undefined) throw error
    if (list(reply['choices']).length > 0) return reply
  }
  throw notChat(`JSON (${quoted(source, asked.apiKey)})`, asked)
}

function endpoint(baseUrl: string): string {
  return baseUrl.replace(/\/*(\?.*)?$/, '/chat/completions$1')
}

function isLost(error: unknown): boolean {
  return isPipeError(error) && (error.code === 'network' || error.code === 'timeout')
}
