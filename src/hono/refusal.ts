import * as z from 'zod'
import { type ErrorCode, httpStatus, isDiskFull, isPipeError } from '../error.ts'
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
  }
}

const chatPaths = /^\/v1\/(chat\/completions|models(\/.*)?)$/

/** Whether the clients of a path expect the errors of chat completions. */
export function speaksChat(path: string): boolean {
  return chatPaths.test(path)
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

/** Formats a refusal as Sentinel's `ErrorResponse`. */
export function errorResponse(facts: RefusalFacts): Response {
  const { status, headers } = facts
  return Response.json(errorBody(facts), { status, ...omitUndefined({ headers }) })
}

/** Encodes a refusal as Sentinel's `ErrorResponse`, for an answer or its stream. */
export function errorBody({ code, message, details }: RefusalFacts): object {
  return { code, message, ...omitUndefined({ details }) }
}

/** Formats a refusal as clients of chat completions expect it. */
export function chatError(facts: RefusalFacts): Response {
  const { status, headers } = facts
  return Response.json(chatErrorBody(facts), { status, ...omitUndefined({ headers }) })
}

/** Encodes a refusal as clients of chat completions expect it, in an answer or in its stream. */
export function chatErrorBody({ status, code, message, details }: RefusalFacts): object {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  return { error: { message, type, param: details?.['field'] ?? null, code: code.toLowerCase() } }
}
