/** All error codes. The tables below give each its exit code and whether to retry. */
export type ErrorCode =
  | 'usage'
  | 'config'
  | 'auth'
  | 'input'
  | 'invalid'
  | 'not_found'
  | 'conflict'
  | 'untrusted'
  | 'permission'
  | 'sandbox'
  | 'tool'
  | 'storage'
  | 'refused'
  | 'length'
  | 'budget'
  | 'turn_limit'
  | 'schema'
  | 'check'
  | 'context_overflow'
  | 'rate_limited'
  | 'overloaded'
  | 'network'
  | 'timeout'
  | 'protocol'
  | 'aborted'
  | 'internal'

export interface PipeErrorOptions {
  readonly cause?: unknown
  readonly details?: Readonly<Record<string, string>>
}

const mark = Symbol.for('pipe-agent.error')

/**
 * An error for the user: what happened, where, and what to do. Errors for the model are `ToolResult`s. `details` holds
 * machine-readable facts (`field`, `reason`, `from`, `to`, `rule`, `status`, `retry_after_ms`).
 */
export class PipeError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, string>>
  readonly [mark] = true

  constructor(code: ErrorCode, message: string, options: PipeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'PipeError'
    this.code = code
    this.details = options.details ?? {}
  }
}

/** Refuses a field of a document or a request. `reason` goes on from its name: `is empty`. */
export function invalidField(field: string, reason: string, message = `${field}: ${reason}`): PipeError {
  return new PipeError('invalid', message, { details: { field, reason } })
}

/** Recognises a PipeError by its symbol, so that two copies of the package in one process still understand each other. */
export function isPipeError(error: unknown): error is PipeError {
  return typeof error === 'object' && error !== null && mark in error
}

/** Whether what was thrown is a PipeError of this code. */
export function hasCode(error: unknown, code: ErrorCode): error is PipeError {
  return isPipeError(error) && error.code === code
}

/** Whether a run can go on after what was thrown: a PipeError other than `aborted`. Anything else ends it, or is a bug. */
export function isSurvivable(error: unknown): error is PipeError {
  return isPipeError(error) && error.code !== 'aborted'
}

/** Says what went wrong, of whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the error of work that a run can go on without; `undefined` if it succeeds. Throws `aborted`, and what is a bug. */
export async function failureOf(work: Promise<unknown>): Promise<PipeError | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (!isSurvivable(error)) throw error
    return error
  }
}

/** Whether a write failed because a disk or quota is full. Retrying later may succeed. */
export function isDiskFull(error: unknown): error is PipeError {
  return isPipeError(error) && ['ENOSPC', 'EDQUOT'].includes(error.details['reason'] ?? '')
}

/** Throws `aborted` if the signal has fired. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new PipeError('aborted', 'interrupted', { cause: signal.reason })
}

/** Resolves with the promise, or rejects with `aborted` as soon as the signal fires. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new PipeError('aborted', 'interrupted', { cause: signal.reason }))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Process exit codes. 41, 42, 44, 52 to 55 and 130 are those of Gemini CLI. */
export const exitCodes: Readonly<Record<ErrorCode, number>> = {
  usage: 2,
  config: 52,
  auth: 41,
  input: 42,
  invalid: 42,
  not_found: 52,
  conflict: 42,
  untrusted: 55,
  permission: 45,
  sandbox: 44,
  tool: 54,
  storage: 54,
  refused: 46,
  length: 48,
  budget: 47,
  turn_limit: 53,
  schema: 49,
  check: 50,
  context_overflow: 42,
  rate_limited: 51,
  overloaded: 51,
  network: 51,
  timeout: 51,
  protocol: 51,
  aborted: 130,
  internal: 1,
}

/** Whether a word is one of our codes. */
export function isErrorCode(word: string): word is ErrorCode {
  return Object.hasOwn(exitCodes, word)
}

/** Status codes of answers over HTTP. */
export const httpStatus: Readonly<Record<ErrorCode, number>> = {
  usage: 400,
  config: 500,
  auth: 502,
  input: 400,
  invalid: 400,
  not_found: 404,
  conflict: 409,
  untrusted: 403,
  permission: 403,
  sandbox: 500,
  tool: 500,
  storage: 503,
  refused: 422,
  length: 422,
  budget: 402,
  turn_limit: 422,
  schema: 422,
  check: 422,
  context_overflow: 400,
  rate_limited: 429,
  overloaded: 503,
  network: 502,
  timeout: 504,
  protocol: 502,
  aborted: 503,
  internal: 500,
}

/** Whether a retry of the request may help. The server's `x-should-retry` overrides it. */
export const retryable: Readonly<Record<ErrorCode, boolean>> = {
  usage: false,
  config: false,
  auth: false,
  input: false,
  invalid: false,
  not_found: false,
  conflict: false,
  untrusted: false,
  permission: false,
  sandbox: false,
  tool: false,
  storage: false,
  refused: false,
  length: false,
  budget: false,
  turn_limit: false,
  schema: false,
  check: false,
  context_overflow: false,
  rate_limited: true,
  overloaded: true,
  network: true,
  timeout: true,
  protocol: false,
  aborted: false,
  internal: false,
}

/** Ends a switch over a closed union: a missing case fails to compile, and throws at run time. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
