import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { onTestFinished } from 'vitest'
import { localUser } from '../../../src/actor.ts'
import { systemIds } from '../../../src/cli/host.ts'
import { systemClock } from '../../../src/cli/system-clock.ts'
import type { Clock } from '../../../src/clock.ts'
import type { Backend } from '../../../src/hono/backend.ts'
import type { PageFiles } from '../../../src/hono/routes/page-routes.ts'
import { type HttpServerOptions, type RunningServer, startServer } from '../../../src/hono/server.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import type { Running } from '../programs/program.ts'
import type { World } from '../programs/world.ts'
import { createMemoryStore } from '../sessions/memory-store.ts'
import { createTaskActions } from '../tasks/task-actions.ts'
import { answerCheck } from './api-check.ts'

/** A running server, and a client that holds each answer against the server's own description. */
export interface Served {
  readonly url: string
  readonly token: string
  /** Sends a request with the token. A body that is no text is sent as JSON. Throws if the answer is not as `/openapi.json` says. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>
  /** Pulls the events of a stream, each held against the description. Ends with the stream, and throws if it breaks off. */
  events(path: string, options?: EventOptions): AsyncGenerator<ReceivedEvent, undefined, undefined>
}

export interface ServePartsOptions extends HttpServerOptions {
  /** Default: the system's. */
  readonly clock?: Clock
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** Default: no page. */
  readonly page?: PageFiles
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface EventOptions extends CallOptions {
  /** Default: `GET`. */
  readonly method?: string
  readonly body?: unknown
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body. `undefined` if it is not JSON. */
  readonly json: unknown
}

export interface ReceivedEvent {
  readonly id?: string
  readonly event?: string
  readonly data: string
  /** The parsed data. `undefined` for `[DONE]`. */
  readonly json: unknown
}

const token = 'T'.repeat(43)

/** Serves a scripted backend in this process until the test ends. */
export async function serveParts(
  backend: Partial<Backend> = {},
  { clock = systemClock, host = '127.0.0.1', page, ...options }: ServePartsOptions = {},
): Promise<Served & Pick<RunningServer, 'close'>> {
  const parts = {
    backend: scriptedBackend(backend),
    clock,
    newId: systemIds(),
    random: Math.random,
    token,
    ...omitUndefined({ page }),
  }
  const server = await startServer(parts, { type: 'tcp', host, port: 0 }, options)
  onTestFinished(() => server.close())
  const local = server.url.replace('0.0.0.0', '127.0.0.1')
  return { ...(await openClient(local, token)), close: () => server.close() }
}

/** Serves the project of a world with the built program until the test ends. */
export async function serveWorld(
  world: World,
  args: readonly string[] = [],
): Promise<Served & { readonly program: Running }> {
  const program = world.start(['serve', '--json', ...args])
  await program.until(/\n/)
  const { url, token } = JSON.parse(program.stdout)
  return { ...(await openClient(url, token)), program }
}

/** A backend that offers one project without sessions and tasks, and opens no conversation. */
export function scriptedBackend(backend: Partial<Backend> = {}): Backend {
  return {
    projects: [{ name: 'project', cwd: '/project' }],
    projectOf: (cwd) => (cwd === '/project' ? { name: 'project', cwd } : undefined),
    inWorktree: async ({ name, cwd }, worktree) => ({ name, cwd: `${cwd}/.worktrees/${worktree}` }),
    sessions: createMemoryStore(),
    summary: async () => undefined,
    queues: { read: async () => [], write: async () => undefined },
    onUnwatched: 'ask',
    user: async () => localUser,
    open: async () => {
      throw new Error('the test opens no conversation')
    },
    requireModel: async () => undefined,
    openModel: async () => {
      throw new Error('the test opens no model')
    },
    models: async () => [],
    offers: async () => [],
    tasks: () => createTaskActions(),
    requireReady: async () => undefined,
    close: () => undefined,
    ...backend,
  }
}

const checks = new Map<string, ReturnType<typeof answerCheck>>()

/** Reads a description once, although many servers send the same. */
function checkOf(description: string): ReturnType<typeof answerCheck> {
  const check = checks.get(description) ?? answerCheck(JSON.parse(description))
  checks.set(description, check)
  return check
}

/** Opens a client of a server that runs. It reads the description of the server with the first answer. */
export async function openClient(url: string, token: string): Promise<Served> {
  const send = (
    method: string,
    path: string,
    body: unknown,
    { headers, signal }: CallOptions = {},
  ): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  const readCheck = async () => checkOf(await (await send('GET', '/openapi.json', undefined)).text())
  let check: ReturnType<typeof readCheck> | undefined
  const checked = async (method: string, target: string, { status, headers }: Response, json: unknown) => {
    const [path = ''] = target.split('?')
    const [mediaType = ''] = (headers.get('content-type') ?? '').split(';')
    check ??= readCheck()
    ;(await check)({ method, path, status, mediaType, json })
    return json
  }
  return {
    url,
    token,
    call: async (method, path, body, options) => {
      const response = await send(method, path, body, options)
      const text = await response.text()
      const json = isJson(response) ? await checked(method, path, response, JSON.parse(text)) : undefined
      return { status: response.status, headers: response.headers, text, json }
    },
    async *events(path, { method = 'GET', body, ...options } = {}) {
      const response = await send(method, path, body, options)
      if (response.headers.get('content-type') !== 'text/event-stream' || response.body === null)
        throw new Error(`${method} ${path} sent no events: ${response.status} ${await response.text()}`)
      for await (const { id, event, data } of readEvents(response.body)) {
        const json = data === '[DONE]' ? undefined : await checked(method, path, response, JSON.parse(data))
        yield { ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { event }), data, json }
      }
      return undefined
    },
  }
}

function isJson({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').startsWith('application/json')
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const arrived: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => void arrived.push(event) })
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* arrived.splice(0)
  }
}
