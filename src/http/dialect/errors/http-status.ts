import type { ErrorCode } from '../../../error.ts'
import type { HttpResponse } from '../../../machine/transport.ts'
import { omitUndefined } from '../../../omit-undefined.ts'

const named: Readonly<Record<number, ErrorCode>> = {
  401: 'auth',
  403: 'auth',
  404: 'not_found',
  408: 'timeout',
  409: 'overloaded',
  413: 'context_overflow',
  425: 'overloaded',
  429: 'rate_limited',
}

/** Maps a failing status of a model's server: by default, 4xx is the request's fault and 5xx the server's. */
export function statusError(status: number): ErrorCode {
  return named[status] ?? (status >= 500 ? 'overloaded' : status >= 400 ? 'invalid' : 'protocol')
}

/**
 * Returns a failing response's error details: `status`, `should_retry` (`true` or `false`) and `retry_after_ms`, which is
 * missing if the server named no time after `now` (ms since 1970).
 */
export function responseDetails(
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  now: number,
): Record<string, string> {
  return omitUndefined({
    status: String(status),
    should_retry: headers['x-should-retry'],
    retry_after_ms: retryAfter(headers, now),
  })
}

/** Returns the request id in an answer's headers, for the server's operators. At most 200 characters. */
export function requestId(headers: HttpResponse['headers']): string | undefined {
  const other = Object.keys(headers).find((name) => /(request-?id|correlation-id|trace-id)$/.test(name))
  // The id of an intermediary (`cf-ray`) is better than none.
  const names = ['x-request-id', 'request-id', other ?? '', 'cf-ray']
  return names
    .map((name) => headers[name])
    .find((id) => id !== undefined && id !== '')
    ?.slice(0, 200)
}

function retryAfter(headers: HttpResponse['headers'], now: number): string | undefined {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (ms >= 0) return String(Math.ceil(ms))
  const value = headers['retry-after'] ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return String(Math.ceil(Number(value) * 1000))
  const wait = Date.parse(value) - now
  return wait > 0 ? String(Math.ceil(wait)) : undefined
}
