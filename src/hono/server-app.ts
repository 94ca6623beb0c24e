import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { isPipeError } from '../error.ts'
import { requireHost, requireOrigin, requireRate, requireToken } from './access.ts'
import type { AppParts } from './app-parts.ts'
import { RequestRate } from './bounds/rate.ts'
import type { ServerLimits } from './bounds/server-limits.ts'
import { countStreams } from './bounds/stream-count.ts'
import { withHeaders } from './headers.ts'
import {
  chatErrors,
  errorResponse,
  errorsAt,
  ownErrors,
  Refusal,
  type RefusalFacts,
  refusalOf,
} from './refusal.ts'
import { mount, type Route, type ServerEnv } from './route.ts'
import { openApiRoute } from './routes/openapi.ts'
import { allRoutes } from './routes/routes.ts'

/** Bounds on who uses the server, and how much. */
export interface AppGuards {
  /** Whether a Host is one of the server's names. */
  readonly isOurs: (host: string | undefined) => boolean
  /** Foreign origins whose pages may use the server. */
  readonly origins: readonly string[]
  readonly limits: ServerLimits
  /** Gets the errors of which clients learn nothing. */
  readonly report: (error: unknown) => void
  /** Tells the owner of the server what to change around it. */
  readonly advise: (advice: string) => void
}

export function createApp(parts: AppParts, guards: AppGuards): Hono<ServerEnv> {
  const described = allRoutes(parts)
  const routes = [...described, openApiRoute(() => described)]
  const app = guardedApp(parts, guards, {
    isOpen: pathsOf(routes.filter((route) => route.isOpen === true)),
    isFile: pathsOf(routes.filter((route) => route.isFile === true)),
  })
  mount(app, routes, countStreams(guards.limits.eventStreams))
  return app
}

/** Paths that need less: no token, or no page of the server's own. */
interface FreePaths {
  readonly isOpen: (path: string) => boolean
  readonly isFile: (path: string) => boolean
}

/** Makes an app without routes, which lets nobody pass whom the guards keep out. */
export function guardedApp(
  { token, clock, ending }: Pick<AppParts, 'token' | 'clock' | 'ending'>,
  { isOurs, origins, limits, report, advise }: AppGuards,
  { isOpen, isFile }: FreePaths = { isOpen: () => false, isFile: () => false },
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>()
  app.onError((error, context) => {
    if (!(error instanceof Refusal) && !isPipeError(error)) report(error)
    return errorResponse(refusalOf(error), errorsAt(context.req.path))
  })
  // The clients of other APIs ask for paths that we have not.
  app.notFound((context) =>
    errorResponse(nothingAt(context), context.req.path.startsWith('/v1/') ? chatErrors : ownErrors),
  )
  const rate = (options: ServerLimits['requests']) =>
    new RequestRate({ ...options, clock, clients: limits.addresses })
  app.use(
    withHeaders(ending),
    withoutBody,
    requireHost(isOurs, advise),
    requireOrigin({ allowed: origins, isFile, advise }),
    requireRate(rate(limits.requests)),
    requireToken({ token, isOpen, wrong: rate(limits.wrongTokens) }),
  )
  return app
}

/** Makes a check whether a path is one of these routes'. */
function pathsOf(routes: readonly Route[]): (path: string) => boolean {
  const patterns = routes.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

function nothingAt({ req }: Context): RefusalFacts {
  return { status: 404, code: 'NOT_FOUND', message: `there is nothing at ${req.method} ${req.path}` }
}

/** Answers HEAD like GET, and lets go of the body, which may be an endless stream. */
const withoutBody: MiddlewareHandler = async (context, next) => {
  await next()
  if (context.req.method !== 'HEAD') return
  await context.res.body?.cancel()
  context.res = new Response(null, context.res)
}
