import type { JsonValue } from '../../json-value.ts'
import { objects, text } from './json-fields.ts'

/** What the `details` of an error add to it, in the form of Google's APIs. */
export interface ErrorDetails {
  /** Reasons and the names of quotas (`API_KEY_INVALID`, `GenerateRequestsPerDay…`), as one text to look into. */
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
