import { isPipeError, PipeError } from '../../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import type { ServerAccess } from '../../machine/model-server.ts'
import type { HttpRequest } from '../../machine/transport.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Provider, Request } from '../../provider.ts'
import type { AdapterEvent, Finish } from '../../reply/accumulator.ts'
import { ReplySize } from '../../reply/reply-size.ts'
import { adaptedProvider } from '../../stream.ts'
import { objects } from '../../wire/json-fields.ts'
import { peek, readBodyText } from '../request-body.ts'
import { readServerEvents, type ServerEvent } from '../server-events.ts'
import { requestId } from './errors/http-status.ts'
import {
  contentTypeOf,
  isMediaType,
  isOther,
  notAReply,
  type UnreadableAnswer,
} from './errors/not-a-reply.ts'
import {
  type Asked,
  eventObject,
  failedReply,
  reportedError,
  responseError,
  streamError,
} from './errors/reported-error.ts'
import { Grace } from './grace.ts'
import { parseWire } from './wire-json.ts'

/** Bytes of a body that is not a stream. An error needs only its beginning, a reply all of it. */
const maxError = 64 * 1024
const maxReply = 16 * 1024 * 1024

/** A wire protocol of model servers: how to build a request and read its reply. */
export interface WireDialect {
  open(request: Request, access: ServerAccess): ModelExchange | Promise<ModelExchange>
  /** Splits a body into events. Default: server-sent events. */
  readonly readEvents?: (body: AsyncIterable<Uint8Array>) => AsyncIterable<readonly ServerEvent[]>
  /** Whether the quirks of Chat Completions apply. Default: false. */
  readonly takesQuirks?: boolean
  /** Converts an unstreamed answer to chunks. Returns `undefined` if it is not a reply. */
  readonly readWhole?: (answer: JsonValue) => readonly JsonObject[] | undefined
}

/** One request and its reply. */
export interface ModelExchange {
  /** The HTTP request. Equal requests give equal bytes, so that caches hit. */
  readonly asked: HttpRequest
  readonly reader: ReplyReader
}

/** Converts one reply to our events, chunk by chunk, in time linear in each chunk's size. Skips unknown content. */
export interface ReplyReader {
  /** Whether the stop reason has come. Usage may still follow. */
  readonly isFinished: boolean
  /** Whether `[DONE]` ends a reply even without a stop reason. Default: false. */
  readonly endsWithDone?: boolean
  /** Whether the reply is complete, so that the rest of the body is not read. Default: false. */
  readonly isComplete?: boolean
  read(chunk: JsonObject): readonly AdapterEvent[]
  /** Returns the rest after the last chunk. Throws `protocol` if this was not a reply. */
  end(): ReplyEnd
}

export interface ReplyEnd {
  readonly events?: readonly AdapterEvent[]
  readonly finish: Finish
  /** The server's error object, or one in its words, if it reported one. */
  readonly failure?: JsonObject | undefined
  /** Explains the finish word, perhaps in words of the model. Default: the word. */
  readonly reason?: string
}

/**
 * Creates a provider for the servers of a dialect. Streams throw the server's error (`auth`, `not_found`, `invalid`, `overloaded`,
 * `context_overflow`, `rate_limited`), `protocol` if the answer is no reply, `network` if it is cut, and the transport's errors.
 */
export function createWireProvider(access: ServerAccess, dialect: WireDialect): Provider {
  return adaptedProvider(access.name, (request) => (signal) => ask(dialect, access, request, signal), access)
}

async function* ask(
  dialect: WireDialect,
  access: ServerAccess,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<readonly AdapterEvent[], Finish, undefined> {
  const { asked: sent, reader } = await dialect.open(request, access)
  const { name: provider, apiKey, keyRemedy, transport, clock } = access
  const grace = new Grace(clock, signal)
  const response = await transport.send(sent, { signal: grace.signal, isRepeatable: true })
  const answered = omitUndefined({ requestId: requestId(response.headers) })
  const asked: Asked = {
    provider,
    model: request.model,
    maxTokens: request.maxTokens,
    apiKey,
    keyRemedy,
    url: sent.url,
    ...answered,
    via: response.via,
    takesQuirks: dialect.takesQuirks,
  }
  if (response.status < 200 || response.status >= 300)
    throw responseError(response, await readBodyText(response.body, maxError), asked, clock.now())
  const { start, body } = await peek(response.body)
  const contentType = contentTypeOf(response)
  const answer = { contentType, text: start }
  if (start.startsWith('<')) throw notAReply({ contentType, text: await readBodyText(body, maxError) }, asked)
  if (isMediaType(contentType)) throw notAReply(answer, asked)
  const isWhole = dialect.readEvents === undefined && /^[{[]/.test(start)
  if (isWhole) yield await readAnswer(dialect, reader, body, asked)
  else {
    const batches = (dialect.readEvents ?? readServerEvents)(body)
    const stream = { reader, grace, asked, answer, isLines: dialect.readEvents !== undefined }
    yield* readStream(batches, stream)
  }
  const { events = [], finish, failure, reason = finish.rawStopReason ?? 'no reason given' } = reader.end()
  yield events
  if (failure === undefined && finish.stopReason !== 'error') return { ...finish, ...answered }
  if (finish.usage !== undefined) yield [{ type: 'usage', usage: finish.usage }]
  throw failure === undefined ? failedReply(reason, asked) : reportedError(failure, asked)
}

/** Reads a reply in one piece, from servers that ignore `stream` or fail. Throws `network` if it is cut. */
async function readAnswer(
  { readWhole }: WireDialect,
  reader: ReplyReader,
  body: AsyncIterable<Uint8Array>,
  asked: Asked,
): Promise<readonly AdapterEvent[]> {
  const source = await readBodyText(body, maxReply)
  const answer = parseWire(source)
  if (answer === undefined && !/[}\]]\s*$/.test(source)) throw cutOff(asked)
  for (const part of isJsonObject(answer) ? [answer] : objects(answer)) {
    const error = streamError(part, undefined, asked)
    if (error !== undefined) throw error
  }
  const chunks = answer === undefined ? undefined : readWhole?.(answer)
  if (chunks === undefined) throw notAReply({ contentType: 'application/json', text: source }, asked)
  return chunks.flatMap((chunk) => reader.read(chunk))
}

interface ReplyStream {
  readonly reader: ReplyReader
  readonly grace: Grace
  readonly asked: Asked
  /** The beginning of the answer, which tells a damaged reply from an answer that never was one. */
  readonly answer: UnreadableAnswer
  /** Whether the answer is JSON lines instead of server-sent events. */
  readonly isLines: boolean
}

/**
 * Reads a stream's chunks to its end, waiting at most 2 s after the stop reason. Throws `network` if the body ends before the
 * reply, and `protocol` if it was no stream.
 */
async function* readStream(
  batches: AsyncIterable<readonly ServerEvent[]>,
  { reader, grace, asked, answer, isLines }: ReplyStream,
): AsyncGenerator<readonly AdapterEvent[], void, undefined> {
  let isDone = false
  let hasBegun = false
  const hidden = new ReplySize(asked.provider)
  try {
    for await (const batch of batches) {
      grace.stop()
      const read = readBatch(batch, { reader, asked, hidden })
      const { events, isOver, isDone: said, hasChunk, error } = read
      isDone = said === true && reader.endsWithDone === true
      hasBegun ||= hasChunk
      if (!hasBegun && isLost(error) && isOther(answer, isLines)) throw notAReply(answer, asked)
      yield events
      if (error !== undefined) throw error
      if (isOver) break
      if (reader.isFinished) grace.begin()
    }
  } catch (error) {
    // After the stop reason, only the usage can be lost.
    if (!(reader.isFinished && (grace.isOver || isLost(error)))) throw error
  } finally {
    grace.stop()
  }
  if (reader.isFinished || isDone) return
  throw !hasBegun && isOther(answer, isLines) ? notAReply(answer, asked) : cutOff(asked)
}

interface ReadEvents {
  readonly events: readonly AdapterEvent[]
  readonly isOver: boolean
  /** Whether the server sent `[DONE]`. */
  readonly isDone?: boolean
  /** Whether any of it was a chunk of a reply. */
  readonly hasChunk: boolean
  /** The failure after these events. */
  readonly error?: unknown
}

interface Reading {
  readonly reader: ReplyReader
  readonly asked: Asked
  /** Counts invisible content, which the reader may keep. */
  readonly hidden: ReplySize
}

function readBatch(batch: readonly ServerEvent[], { reader, asked, hidden }: Reading): ReadEvents {
  const events: AdapterEvent[] = []
  let hasChunk = false
  try {
    for (const event of batch) {
      if (isDone(event)) return { events, isOver: true, isDone: true, hasChunk }
      const chunk = eventObject(event, asked)
      if (chunk === undefined) continue
      hasChunk = true
      const shown = reader.read(chunk)
      if (shown.length === 0) hidden.add(event.data)
      for (const read of shown) events.push(read)
      if (reader.isComplete === true) return { events, isOver: true, hasChunk }
    }
    return { events, isOver: false, hasChunk }
  } catch (error) {
    return { events, isOver: true, hasChunk, error }
  }
}

function isDone({ data }: ServerEvent): boolean {
  return !data.startsWith('{') && data.trim() === '[DONE]'
}

function cutOff({ provider, requestId }: Asked): PipeError {
  const details = omitUndefined({ request_id: requestId })
  return new PipeError('network', `the reply of ${provider} was cut off`, { details })
}

function isLost(error: unknown): boolean {
  return isPipeError(error) && (error.code === 'network' || error.code === 'timeout')
}
