import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { clientOf, type RequestRate } from './bounds/rate.ts'
import { Refusal } from './refusal.ts'
import type { ServerEnv } from './route.ts'

/** Tells the owner of the server what to change around it. */
export type Advise = (advice: string) => void

const passesHost =
  'let the proxy pass on the Host of the browser (nginx: proxy_set_header Host $http_host; Apache: ProxyPreserveHost On)'

/** Lets requests to the server's own names pass. Throws `Refusal` with 403 otherwise, and advises once. */
export function requireHost(
  isOurs: (host: string | undefined) => boolean,
  advise: Advise,
): MiddlewareHandler {
  const adviseOnce = once(advise)
  return async ({ req }, next) => {
    const host = req.header('host')
    if (isOurs(host)) return next()
    const advice = `${oneWord(host)} is not a name of this server: see serve.hosts; if that is what a proxy in front of it sends, ${passesHost}`
    adviseOnce(advice)
    throw forbidden(advice)
  }
}

/** Passes on the first advice alone, as each request would bring it again. */
function once(advise: Advise): Advise {
  let isAdvised = false
  return (advice) => {
    if (!isAdvised) advise(advice)
    isAdvised = true
  }
}

export interface AllowedOrigins {
  /** Foreign origins whose pages may use the server. */
  readonly allowed: readonly string[]
  /** Whether a path is a file of the page, which is the same for everybody. */
  readonly isFile: (path: string) => boolean
  readonly advise: Advise
}

/**
 * Lets requests pass that come from no page, a page of the server itself, or one of the allowed origins, which a browser then lets read
 * the answers. Throws `Refusal` with 403 otherwise, and advises once.
 */
export function requireOrigin({ allowed, isFile, advise }: AllowedOrigins): MiddlewareHandler {
  const adviseOnce = once(advise)
  const share = cors({
    origin: (origin) => origin,
    allowMethods: ['GET', 'POST', 'DELETE'],
    exposeHeaders: ['retry-after'],
    maxAge: 600,
  })
  return async (context, next) => {
    const { req } = context
    const origin = req.header('origin')
    if (origin !== undefined && allowed.includes(origin)) return share(context, next)
    const isOwn = origin === undefined ? isOwnFetch(context) : hostOf(origin) === req.header('host')
    if (isOwn || (req.method === 'GET' && isFile(req.path))) {
      await next()
      return undefined
    }
    if (origin === undefined) throw forbidden('this origin may not use the server: see serve.origins')
    const advice = `pages of ${oneWord(origin)} may not use the server: if that is a proxy in front of it, ${passesHost}, and name it in serve.hosts; otherwise see serve.origins`
    adviseOnce(advice)
    throw forbidden(advice)
  }
}

/** Whether a browser says that no foreign page began the request, or that the user follows a link, with which no token goes. */
function isOwnFetch({ req }: Context): boolean {
  const site = req.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return (
    req.method === 'GET' &&
    req.header('sec-fetch-mode') === 'navigate' &&
    req.header('sec-fetch-dest') === 'document'
  )
}

/** A header's text as one word of bounded length, for a message. */
function oneWord(text = 'no name'): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, 100)
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/(.+)$/.exec(origin)?.[1]
}

function forbidden(message: string): Refusal {
  return new Refusal({ status: 403, code: 'FORBIDDEN', message })
}

/** Counts requests by client, except those through a socket file, which only this user has. Throws `Refusal` with 429 for one too many. */
export function requireRate(rate: RequestRate): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const client = clientBehind(context)
    if (client !== undefined) requireLeft(rate.take(client), 'too many requests')
    await next()
  }
}

export interface TokenOptions {
  readonly token: string
  /** Whether a path needs no token. */
  readonly isOpen: (path: string) => boolean
  /** Counts wrong tokens only: nobody keeps a client with the right one out. */
  readonly wrong: RequestRate
}

/** Lets requests with the token pass, and those to paths that need none. Throws `Refusal` with 401 or 429 otherwise. */
export function requireToken({ token, isOpen, wrong }: TokenOptions): MiddlewareHandler<ServerEnv> {
  const wanted = digest(token)
  return async (context, next) => {
    const { req } = context
    const given = /^Bearer +(\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? req.header('x-api-key')
    const isKnown = given !== undefined && timingSafeEqual(digest(given), wanted)
    if (!isKnown && !isOpen(req.path)) {
      if (given !== undefined) requireLeft(wrong.take(clientBehind(context) ?? ''), 'too many wrong tokens')
      throw new Refusal({
        status: 401,
        code: 'UNAUTHORIZED',
        message: 'send the token that the server printed: Authorization: Bearer TOKEN',
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
    await next()
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function clientBehind({ env }: Context<ServerEnv>): string | undefined {
  const address = env.incoming?.socket.remoteAddress
  return address === undefined ? undefined : clientOf(address)
}

function requireLeft(waitMs: number | undefined, message: string): void {
  if (waitMs === undefined) return
  throw new Refusal({
    status: 429,
    code: 'RATE_LIMITED',
    message,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  })
}
