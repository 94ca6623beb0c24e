import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { listen } from '../servers/listen.ts'
import { checkMessagesBody, type MessagesBody } from '../vendors/anthropic-rules.ts'
import { messageEvents } from '../vendors/anthropic-sse.ts'
import { type ChatBody, type ChatRules, checkChatBody } from '../vendors/chat-rules.ts'
import { replyEvents } from '../vendors/chat-sse.ts'
import { checkGeminiBody, type GeminiBody } from '../vendors/gemini-rules.ts'
import { geminiEvents } from '../vendors/gemini-sse.ts'
import type { Judged } from '../vendors/judge.ts'
import { replyLines } from '../vendors/ollama-lines.ts'
import { checkOllamaBody, type OllamaBody } from '../vendors/ollama-rules.ts'
import { checkResponsesBody, type ResponsesBody } from '../vendors/responses-rules.ts'
import { responseEvents } from '../vendors/responses-sse.ts'

/** The answer to one request. */
export type FakeReply<Body = ChatBody> =
  /** A whole reply in the server's dialect, a few characters a delta. */
  | ({ readonly blocks: readonly ScriptBlock[] } & ReplyEnd)
  /**
   * Bytes in pieces of the given sizes (the last size repeats), then the end, silence (`hang`), or a connection that is closed
   * (`drop`) or reset early.
   */
  | {
      readonly sse: string | Uint8Array
      readonly headers?: Readonly<Record<string, string>>
      readonly chunkSizes?: readonly number[]
      readonly ending?: 'end' | 'hang' | 'drop' | 'reset'
    }
  /** Bytes instead of an HTTP answer, status line included, before the connection is reset. */
  | { readonly raw: string }
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  | ((request: FakeRequest<Body>, response: ServerResponse) => void | Promise<void>)

/** The end of a whole reply. Default: as its blocks require, with a few tokens. */
export interface ReplyEnd {
  readonly finishReason?: string
  readonly usage?: Readonly<Record<string, unknown>>
}

/** A valid request. */
export interface FakeRequest<Body = ChatBody> {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** Resolves when the connection of this request ends: true if the client closed it before the reply's end. */
  readonly closed: Promise<boolean>
}

export interface FakeServer<Body = ChatBody> {
  /** Base URL for a provider: `http://127.0.0.1:<port>`, with `/v1` for OpenAI's dialects. */
  readonly baseUrl: string
  /** The requests answered so far, in order. */
  readonly requests: readonly FakeRequest<Body>[]
  /** Rule violations, each answered with status 400. Expect none at the end of every test. */
  readonly violations: readonly string[]
  /** Connections accepted so far. */
  readonly connections: number
  /** Queues replies, one per request. */
  reply(...replies: readonly FakeReply<Body>[]): void
  close(): Promise<void>
}

/**
 * Starts a real HTTP server on a free port that plays replies in Chat Completions and checks every request as a real one does.
 */
export function startFakeServer(...replies: readonly FakeReply[]): Promise<FakeServer> {
  return startFakeChat({}, ...replies)
}

/** Starts one with extra rules. */
export function startFakeChat(rules: ChatRules, ...replies: readonly FakeReply[]): Promise<FakeServer> {
  const check = (body: unknown) => checkChatBody(body, rules)
  return startServer({ base: '/v1', path: '/v1/chat/completions', check, events: replyEvents }, replies)
}

/** Starts one for Anthropic's Messages. */
export function startFakeAnthropic(
  ...replies: readonly FakeReply<MessagesBody>[]
): Promise<FakeServer<MessagesBody>> {
  const dialect = { base: '', path: '/v1/messages', check: checkMessagesBody, events: messageEvents }
  return startServer(dialect, replies)
}

/** Starts one for Ollama's own API. */
export function startFakeOllama(
  ...replies: readonly FakeReply<OllamaBody>[]
): Promise<FakeServer<OllamaBody>> {
  const dialect = { base: '', path: '/api/chat', check: checkOllamaBody, events: replyLines }
  return startServer(dialect, replies)
}

/** Starts one for OpenAI's Responses. */
export function startFakeResponses(
  ...replies: readonly FakeReply<ResponsesBody>[]
): Promise<FakeServer<ResponsesBody>> {
  const dialect = { base: '/v1', path: '/v1/responses', check: checkResponsesBody, events: responseEvents }
  return startServer(dialect, replies)
}

/** Starts one for Gemini. */
export function startFakeGemini(
  ...replies: readonly FakeReply<GeminiBody>[]
): Promise<FakeServer<GeminiBody>> {
  const path = /^\/v1beta\/models\/[^/:]+:streamGenerateContent\?alt=sse$/
  return startServer({ base: '', path, check: checkGeminiBody, events: geminiEvents }, replies)
}

interface FakeDialect<Body> {
  /** Path of the base URL. */
  readonly base: string
  /** Path without the query, or an expression for the whole. */
  readonly path: string | RegExp
  readonly check: (body: unknown, path?: string) => Judged<Body>
  readonly events: (blocks: readonly ScriptBlock[], end: ReplyEnd) => readonly string[]
}

async function startServer<Body>(
  dialect: FakeDialect<Body>,
  replies: readonly FakeReply<Body>[],
): Promise<FakeServer<Body>> {
  const queue = [...replies]
  const requests: FakeRequest<Body>[] = []
  const violations: string[] = []
  let connections = 0

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const closed = new Promise<boolean>((resolve) => {
      response.once('close', () => resolve(!response.writableFinished))
    })
    // Answers probes of the server's type with 404.
    if (incoming.method === 'GET' || incoming.url === '/api/show') {
      incoming.resume()
      return send(response, { status: 404 }, dialect)
    }
    const judged = await read(incoming, dialect)
    const reply = 'violation' in judged ? undefined : queue.shift()
    if ('violation' in judged || reply === undefined) {
      const violation = 'violation' in judged ? judged.violation : 'a request for which no reply is scripted'
      violations.push(violation)
      const error = { message: violation, type: 'invalid_request_error', code: null }
      return send(response, { status: 400, body: JSON.stringify({ error }) }, dialect)
    }
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([k, v]) => [k, String(v)]))
    const request = { path: incoming.url ?? '', headers, body: judged.body, closed }
    requests.push(request)
    if (typeof reply === 'function') await reply(request, response)
    else await send(response, reply, dialect)
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error) => response.destroy(error))
  })
  server.on('connection', (socket) => {
    connections++
    socket.setNoDelay(true)
  })
  const port = await listen(server)

  return {
    baseUrl: `http://127.0.0.1:${port}${dialect.base}`,
    requests,
    violations,
    get connections() {
      return connections
    },
    reply: (...more) => queue.push(...more),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)))
        server.closeAllConnections()
      }),
  }
}

async function read<Body>(
  incoming: IncomingMessage,
  { path, check }: FakeDialect<Body>,
): Promise<Judged<Body>> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { url = '' } = incoming
  const isKnown = typeof path === 'string' ? url.replace(/\?.*/, '') === path : path.test(url)
  if (incoming.method !== 'POST' || !isKnown) return { violation: `${incoming.method} ${incoming.url}` }
  if (incoming.headers['content-type'] !== 'application/json')
    return { violation: `content-type ${incoming.headers['content-type']}` }
  try {
    return check(JSON.parse(Buffer.concat(chunks).toString()), url)
  } catch {
    return { violation: 'the body is not JSON' }
  }
}

async function send<Body>(
  response: ServerResponse,
  reply: Exclude<FakeReply<Body>, (...args: never) => unknown>,
  dialect: FakeDialect<Body>,
): Promise<void> {
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body ?? '')
  } else if ('blocks' in reply) {
    const { blocks, finishReason, usage } = reply
    const events = dialect.events(blocks, omitUndefined({ finishReason, usage }))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) await write(response, event)
    response.end()
  } else if ('raw' in reply) {
    response.socket?.write(reply.raw)
    await setImmediate()
    response.socket?.resetAndDestroy()
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
    response.flushHeaders()
    for (const piece of pieces(Buffer.from(reply.sse), reply.chunkSizes)) await write(response, piece)
    if (reply.ending === 'drop') response.destroy()
    else if (reply.ending === 'reset') response.socket?.resetAndDestroy()
    else if (reply.ending !== 'hang') response.end()
  }
}

/** One write is roughly one packet. */
async function write(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  if (response.destroyed) return
  response.write(piece)
  await setImmediate()
}

function* pieces(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]): Generator<Uint8Array> {
  for (let start = 0, i = 0; start < bytes.length; i++) {
    const size = Math.max(1, sizes[Math.min(i, sizes.length - 1)] ?? bytes.length)
    yield bytes.subarray(start, start + size)
    start += size
  }
}
