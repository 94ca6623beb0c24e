import type { JsonValue } from '../../../json-value.ts'
import { objects, text } from '../../../wire/json-fields.ts'

/** The `details` of an error in the format of Google's APIs. */
export interface ErrorDetails {
  /** Reasons and quota names (`API_KEY_INVALID`, `GenerateRequestsPerDay…`) as one text to search. */
  readonly words: string
  readonly retryAfterMs: string | undefined
}

export function readDetails(details: JsonValue | undefined): ErrorDetails {
  const found = objects(details)
  const quotas = found.flatMap(({ violations }) => objects(violations).map(({ quotaId }) => text(quotaId)))
  const seconds = found
    .map(({ retryDelay }) => Number.parseFloat(text(retryDelay)))
    .find((delay) => delay >= 0)
  return {
    words: [...found.map(({ reason }) => text(reason)), ...quotas].join(' '),
    retryAfterMs: seconds === undefined ? undefined : String(Math.ceil(seconds * 1000)),
  }
}

const millisecondsOf: Readonly<Record<string, number>> = {
  ms: 1,
  milli: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

/** Returns the wait in ms that a message asks for (`Please try again in 1m2.5s`), if any. */
export function wordedWait(message: string): string | undefined {
  const [, wait = ''] = /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)? ?[a-z]+ ?)+)/i.exec(message) ?? []
  const parts = [...wait.matchAll(/([\d.]+) ?(ms|milli|[smh])/gi)]
  if (parts.length === 0) return undefined
  const ms = parts.map(([, count, unit = '']) => Number(count) * (millisecondsOf[unit.toLowerCase()] ?? 0))
  return String(Math.ceil(ms.reduce((sum, part) => sum + part, 0)))
}
