import * as z from 'zod'
import { type ErrorCode, httpStatus, isDiskFull, isPipeError, type PipeError } from '../error.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** An answer of the server that is no success. */
export interface RefusalFacts {
  readonly status: number
  /** Upper case, such as `INVALID_REQUEST`. */
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Refuses a request for a reason of HTTP itself: no token, a body that is too large. Other errors are `PipeError`s. */
export class Refusal extends Error {
  readonly facts: RefusalFacts

  constructor(facts: RefusalFacts) {
    super(facts.message)
    this.name = 'Refusal'
    this.facts = facts
  }
}

const invalidRequest: readonly ErrorCode[] = ['usage', 'input', 'invalid']

/** Describes any error for a client. One that is neither a `Refusal` nor a `PipeError` is a bug, of which a client learns nothing. */
export function refusalOf(error: unknown): RefusalFacts {
  if (error instanceof Refusal) return error.facts
  const isFull = isDiskFull(error)
  if (!isPipeError(error))
    return { status: 500, code: 'INTERNAL', message: 'an unexpected failure; the log of the server has it' }
  const { message, details, code: own } = error
  const code = isFull ? 'storage' : own
  return {
    status: httpStatus[code],
    code: invalidRequest.includes(code) ? 'INVALID_REQUEST' : code.toUpperCase(),
    message,
    ...(Object.keys(details).length === 0 ? {} : { details }),
    ...omitUndefined({ headers: retryAfter(httpStatus[code], details) }),
  }
}

/** Seconds after which a client may ask again where the model's server named no time. */
const usualWait = 10

/** Says when to ask again: as the model's server said, and always with 429. */
function retryAfter(status: number, { retry_after_ms: ms }: PipeError['details']): RefusalFacts['headers'] {
  if (ms === undefined && status !== 429) return undefined
  const seconds = ms === undefined ? usualWait : Math.ceil(Number(ms) / 1_000)
  return Number.isFinite(seconds) ? { 'retry-after': String(seconds) } : undefined
}

/** Schema of Sentinel's error answer. */
export const errorResponseSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.string()).optional(),
})

/** Schema of an error answer of chat completions. */
export const chatErrorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
})

/** Schema of an error answer of the Messages API. */
export const messagesErrorSchema = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
})

/** The errors that the clients of an API expect. */
export interface ErrorFormat {
  readonly schema: z.ZodType
  readonly encode: (facts: RefusalFacts) => object
}

/** The errors of chat completions and of the Responses API. */
export const chatErrors: ErrorFormat = { schema: chatErrorSchema, encode: chatErrorBody }
const messagesErrors: ErrorFormat = { schema: messagesErrorSchema, encode: messagesErrorBody }
/** Sentinel's errors. */
export const ownErrors: ErrorFormat = { schema: errorResponseSchema, encode: errorBody }

const chatPaths = /^\/v1\/(chat\/completions|responses|models(\/.*)?)$/
const messagesPaths = /^\/v1\/messages(\/count_tokens)?$/

/** The errors that the clients of a path expect. */
export function errorsAt(path: string): ErrorFormat {
  if (messagesPaths.test(path)) return messagesErrors
  return chatPaths.test(path) ? chatErrors : ownErrors
}

/** Formats a refusal. */
export function errorResponse(facts: RefusalFacts, { encode }: ErrorFormat = ownErrors): Response {
  const { status, headers } = facts
  return Response.json(encode(facts), { status, ...omitUndefined({ headers }) })
}

/** Encodes a refusal as Sentinel's `ErrorResponse`, for an answer or its stream. */
export function errorBody({ code, message, details }: RefusalFacts): object {
  return { code, message, ...omitUndefined({ details }) }
}

/** Encodes a refusal as clients of chat completions expect it, in an answer or in its stream. */
export function chatErrorBody({ status, code, message, details }: RefusalFacts): object {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  return { error: { message, type, param: details?.['field'] ?? null, code: code.toLowerCase() } }
}

const messagesTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
}

/** Encodes a refusal as clients of the Messages API expect it, in an answer or in its stream. */
export function messagesErrorBody({ status, message }: RefusalFacts) {
  const type = messagesTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
  return { type: 'error', error: { type, message } } as const
}
