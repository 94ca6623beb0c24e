import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono, HonoRequest, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { invalidField, PipeError } from '../error.ts'
import { isJson, parseJson } from '../json-value.ts'
import { serverLimits } from './bounds/server-limits.ts'
import { eventStreamType } from './event-stream.ts'
import { issueInWords } from './issue-words.ts'
import { Refusal } from './refusal.ts'

/** The request and the answer of Node, below those of Hono; absent in a test without a server. */
export interface ServerEnv {
  Bindings: Partial<HttpBindings>
}

/** Stands for a query or a body that a route does not read. */
export const nothing: z.ZodType<undefined> = z.unknown().transform(() => undefined)

/** A request whose parts were checked. */
export interface RouteRequest<Body, Query> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  readonly headers: Headers
  /** Fires when the client goes away. */
  readonly signal: AbortSignal
}

/** One answer that a route gives, for its description. */
export interface DescribedAnswer {
  readonly description: string
  /** Absent: no body, or one that is no JSON. */
  readonly schema?: z.ZodType
  /** Default: `application/json`. */
  readonly mediaType?: string
  /** The data of each event, where the answer may be a stream instead. */
  readonly events?: z.ZodType
}

/** A route with the schemas that check it and describe it. */
interface RouteFacts {
  readonly method: 'get' | 'post' | 'delete'
  /** With its parameters in braces: `/v1/sessions/{id}`. */
  readonly path: string
  /** Names the operation, such as `createSession`. */
  readonly operation: string
  readonly summary: string
  /** Answers without a token. */
  readonly isOpen?: true
  /** Anybody may read it, whichever page asks. */
  readonly isFile?: true
  /** The body may be left out, which stands for `{}`. */
  readonly isBodyOptional?: true
  /** The body may hold a history or a prompt, and be as large as `limits.largeBody`. */
  readonly hasLargeBody?: true
  /** The last parameter is the rest of the path, slashes included. */
  readonly takesRest?: true
  /** The message of a request that the schemas refuse. Default: the field and the reason. */
  readonly refusal?: string
  /** By status. Refusals are the same for all routes and need no row. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>
}

export interface RouteOptions<Body, Query> extends RouteFacts {
  readonly query: z.ZodType<Query>
  readonly body: z.ZodType<Body>
  handle(request: RouteRequest<Body, Query>): Promise<Response>
}

/** A route whose handler checks its request itself. */
export interface Route extends RouteFacts {
  readonly query: z.ZodType
  readonly body: z.ZodType
  answer(context: Context<ServerEnv>): Promise<Response>
}

/** Makes a route. A request that its schemas refuse is `invalid`, with `details.field` and `details.reason`. */
export function defineRoute<Body, Query>(options: RouteOptions<Body, Query>): Route {
  const { handle, query, body, ...facts } = options
  return {
    ...facts,
    query,
    body,
    answer: async (context) =>
      handle({
        params: context.req.param(),
        query: checked(query, context.req.query(), 'query', options.refusal),
        body: checked(body, await readBody(context, options), 'body', options.refusal),
        headers: context.req.raw.headers,
        signal: context.req.raw.signal,
      }),
  }
}

/** Adds routes to a server, which refuses other methods at their paths. `bound` goes before those that send event streams. */
export function mount(
  app: Hono<ServerEnv>,
  routes: readonly Route[],
  bound: MiddlewareHandler<ServerEnv>,
): void {
  const methods = new Map<string, readonly string[]>()
  for (const { method, path, answer, answers, takesRest } of routes) {
    const pattern = path.replace(/\{(\w+)\}/g, ':$1')
    const at = takesRest === true ? `${pattern}{.+}` : pattern
    const streams = Object.values(answers).some(({ mediaType }) => mediaType === eventStreamType)
    if (streams) app[method](at, bound, answer)
    else app[method](at, answer)
    const added = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
    methods.set(at, [...(methods.get(at) ?? []), ...added])
  }
  for (const [at, known] of methods)
    app.all(at, ({ req }) => {
      throw wrongMethod(req, known.join(', '))
    })
}

function wrongMethod({ method, path }: HonoRequest, allow: string): Refusal {
  const message = `cannot ${method} ${path}: it takes ${allow}`
  return new Refusal({ status: 405, code: 'METHOD_NOT_ALLOWED', message, headers: { allow } })
}

function checked<T>(schema: z.ZodType<T>, value: unknown, part: string, refusal?: string): T {
  const { success, data, error } = schema.safeParse(value, { error: issueInWords })
  if (success) return data
  const [first] = error.issues
  const unknown = first?.code === 'unrecognized_keys' ? first.keys.slice(0, 1) : []
  const field = [...(first?.path ?? []), ...unknown].join('.') || part
  const reason = first?.message ?? ''
  throw invalidField(field, reason, refusal)
}

async function readBody(
  { req, env }: Context<ServerEnv>,
  { body, isBodyOptional, hasLargeBody }: Pick<Route, 'body' | 'isBodyOptional' | 'hasLargeBody'>,
): Promise<unknown> {
  if (body === nothing) return undefined
  if (isBodyOptional !== true || !isEmpty(req)) requireJsonType(req.header('content-type'))
  const limit = hasLargeBody === true ? serverLimits.largeBody : serverLimits.body
  const text = await readText(req, env?.incoming, limit)
  if (text === '' && isBodyOptional === true) return {}
  const value = parseJson(text, serverLimits.jsonDepth)
  if (value !== undefined) return value
  const reason = isJson(text) ? 'is nested too deeply' : 'is not JSON'
  throw invalidField('body', reason, `the body ${reason}`)
}

/** Whether a request says that it has no body. */
function isEmpty(req: HonoRequest): boolean {
  return (req.header('content-length') ?? '0') === '0' && req.header('transfer-encoding') === undefined
}

/** Reads a body, and never more of it than the limit. */
async function readText(
  req: HonoRequest,
  incoming: HttpBindings['incoming'] | undefined,
  limit: number,
): Promise<string> {
  if (Number(req.header('content-length') ?? 0) > limit) throw tooLarge(limit)
  // What is left of it is read after the answer.
  const pieces = incoming?.iterator({ destroyOnReturn: false }) ?? req.raw.body ?? []
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of pieces) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
    return new TextDecoder().decode(Buffer.concat(chunks))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new PipeError('aborted', 'the body was cut off', { cause: error })
  }
}

function tooLarge(limit: number): Refusal {
  return new Refusal({ status: 413, code: 'TOO_LARGE', message: `the body is larger than ${limit} bytes` })
}

/** Other types are those that a page of another origin may send without being asked for its origin first. */
function requireJsonType(type: string | undefined): void {
  if (type === undefined || /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(type)) return
  const message = 'send the body as JSON: content-type: application/json'
  throw new Refusal({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message })
}
