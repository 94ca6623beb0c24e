import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Clock } from '../clock.ts'
import { hasCode, PipeError } from '../error.ts'
import { ShutdownReason } from '../machine/shutdown-reason.ts'
import type { AppParts } from './app-parts.ts'
import { badRequest, refuseBytes } from './bad-request.ts'
import { Connections } from './bounds/connections.ts'
import { answerFirst, linger } from './bounds/linger.ts'
import { sendEvents } from './bounds/send.ts'
import { type ServerLimits, serverLimits as usualLimits } from './bounds/server-limits.ts'
import { eventStreamType } from './event-stream.ts'
import { hostCheck } from './hosts.ts'
import { Hub } from './live/hub.ts'
import { ServedTasks } from './live/served-tasks.ts'
import type { ServerEnv } from './route.ts'
import { type AppGuards, createApp } from './server-app.ts'

/** An address to listen on. */
export type Listening =
  | { readonly type: 'tcp'; readonly host: string; readonly port: number }
  /** A socket file, which only this user can open. */
  | { readonly type: 'unix'; readonly path: string }

export interface HttpServerOptions {
  /** The name of this machine. Default: it has none. */
  readonly hostname?: string
  /** More names of the server, as `HostOptions` says. Default: none. */
  readonly hosts?: readonly string[]
  /** Foreign origins whose pages may use the server. Default: none. */
  readonly origins?: readonly string[]
  /** Gets the errors of which clients learn nothing. */
  readonly report?: (error: unknown) => void
  /** Gets what the owner should change around the server, each advice once. Default: nobody. */
  readonly advise?: (advice: string) => void
  readonly limits?: Partial<ServerLimits>
}

/** A server that listens. Its owner closes it. */
export interface RunningServer {
  /** `http://HOST:PORT`, or `unix:PATH`. */
  readonly url: string
  /** Takes no more connections, waits for answers that are under way, though not for long, and ends. */
  close(): Promise<void>
}

/** Starts to listen. Throws `conflict` for an address that is taken, `usage` for one that cannot be listened on. */
export function startServer(
  parts: Omit<AppParts, 'ending' | 'hub' | 'tasks'>,
  listening: Listening,
  options: HttpServerOptions = {},
): Promise<RunningServer> {
  const serve: ServeApp = (guards, ending) => {
    const hub = new Hub(parts)
    const app = createApp({ ...parts, hub, tasks: new ServedTasks(parts.backend), ending }, guards)
    return { app, close: () => hub.close() }
  }
  return listenWith(serve, listening, { ...options, clock: parts.clock })
}

/** An app that a server answers with, and what ends its work. */
interface ServedApp {
  readonly app: Hono<ServerEnv>
  close(): Promise<void>
}

/** Makes the app. The signal fires when the server begins to end. */
export type ServeApp = (guards: AppGuards, ending: AbortSignal) => ServedApp

/** Starts to listen with an app. Throws as `startServer` does. */
export async function listenWith(
  serve: ServeApp,
  listening: Listening,
  {
    hostname = '',
    hosts = [],
    origins = [],
    report = () => undefined,
    advise = () => undefined,
    clock,
    ...more
  }: HttpServerOptions & { readonly clock: Clock },
): Promise<RunningServer> {
  const limits = { ...usualLimits, ...more.limits }
  const ending = new AbortController()
  let isOurs: (host: string | undefined) => boolean = () => false
  const guards = { isOurs: (host: string | undefined) => isOurs(host), origins, limits, report, advise }
  const served = serve(guards, ending.signal)
  const server = createServer(
    {
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      keepAliveTimeout: limits.keepAlive,
      connectionsCheckingInterval: limits.look,
    },
    answerWith(served.app, { limits, report, clock }),
  )
  const connections = new Connections(server, limits.connections)
  server.on('clientError', (error, socket: Socket) => refuseBytes(error, socket, connections))
  try {
    await listen(server, listening)
  } catch (error) {
    await served.close()
    throw error
  }
  // Such as no descriptor being left for one more connection.
  server.on('error', report)
  const url = urlOf(server.address())
  const port = Number(/:(\d+)$/.exec(url)?.[1])
  isOurs = hostCheck({
    ...(listening.type === 'tcp' ? { listening: { host: listening.host, port } } : {}),
    hostname,
    hosts,
  })
  return {
    url,
    close: () => close(server, { ending, served, connections, clock, drainMs: limits.drain }),
  }
}

function answerWith(
  app: Hono<ServerEnv>,
  { limits, report, clock }: Pick<AppGuards, 'limits' | 'report'> & { readonly clock: Clock },
): RequestListener {
  const fetch: Parameters<typeof getRequestListener>[0] = async (request, env) => {
    const { incoming, outgoing } = env
    if (!(outgoing instanceof ServerResponse) || !(incoming instanceof IncomingMessage))
      return app.fetch(request, env)
    // The last request of its connection: what changes the socket is not added again.
    if (!outgoing.shouldKeepAlive) answerFirst(incoming, clock, limits)
    outgoing.once('finish', () => linger(incoming, clock, limits))
    const response = await app.fetch(request, env)
    // The socket's own timer also sees a large write that goes on slowly.
    outgoing.setTimeout(limits.stalled)
    const { body } = response
    if (body === null || response.headers.get('content-type') !== eventStreamType) return response
    return sendEvents({ response, body }, outgoing, whileSending(report))
  }
  return getRequestListener(fetch, {
    overrideGlobalObjects: false,
    errorHandler: badRequest,
    autoCleanupIncoming: false,
  })
}

interface CloseOptions {
  readonly ending: AbortController
  readonly served: ServedApp
  readonly connections: Connections
  readonly clock: Clock
  readonly drainMs: number
}

async function close(
  server: Server,
  { ending, served, connections, clock, drainMs }: CloseOptions,
): Promise<void> {
  ending.abort(new ShutdownReason('the server ends'))
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  connections.closeQuiet()
  const stopWaiting = clock.after(drainMs, () => server.closeAllConnections())
  await served.close()
  await closed
  stopWaiting()
}

/** Reports why an answer broke off, unless it was interrupted on purpose. */
function whileSending(report: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!hasCode(error, 'aborted')) report(error)
  }
}

async function listen(server: Server, listening: Listening): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: Error) => reject(listenError(error, listening))
    const begin = () => {
      server.off('error', refuse)
      resolve()
    }
    server.once('error', refuse)
    if (listening.type === 'tcp') server.listen(listening.port, listening.host, begin)
    else privately(() => server.listen(listening.path, begin))
  })
}

/** Makes files of this user alone meanwhile. */
function privately(make: () => void): void {
  const before = process.umask(0o177)
  try {
    make()
  } finally {
    process.umask(before)
  }
}

function listenError(error: Error & { readonly code?: string }, listening: Listening): PipeError {
  const where = listening.type === 'unix' ? listening.path : `${listening.host}:${listening.port}`
  if (error.code === 'EADDRINUSE')
    return new PipeError('conflict', `another program is already listening on ${where}`, { cause: error })
  return new PipeError('usage', `cannot listen on ${where}: ${error.message}`, { cause: error })
}

function urlOf(address: ReturnType<Server['address']>): string {
  if (address === null || typeof address === 'string') return `unix:${address ?? ''}`
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
