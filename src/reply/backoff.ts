import { type PipeError, retryable } from '../error.ts'

/** Maximum retries after the first try. */
const maxRetries = 5
/** Maximum tries of one request. */
export const maxTries = maxRetries + 1
const firstWaitMs = 500
const maxWaitMs = 30_000
const jitter = 0.25
/** Longest wait for a server. If it asks for more, the error says how long. */
export const maxServerWaitMs = 60_000

/**
 * Returns the wait in ms before a retry; `undefined` if a retry cannot help. `attempt` counts the tries so far, from 1. The
 * server's `details.retry_after_ms` and `details.should_retry` override our defaults.
 */
export function retryDelay(error: PipeError, attempt: number, random: () => number): number | undefined {
  if (!mayPass(error) || attempt > maxRetries) return undefined
  const { retry_after_ms: asked } = error.details
  // Servers that do not know when they will be ready ask for 0.
  if (asked !== undefined) return Number(asked) || firstWaitMs
  return Math.round(doubled(attempt) * (1 - jitter + 2 * jitter * random()))
}

/** Whether the same request may succeed after a wait that is worth it. */
export function mayPass(error: PipeError): boolean {
  const { should_retry: wish } = error.details
  return (wish === 'true' || (wish !== 'false' && retryable[error.code])) && !isTooLong(error)
}

/** Whether a server asks for a longer wait than anybody waits here. */
export function isTooLong({ details }: PipeError): boolean {
  return Number(details['retry_after_ms'] ?? 0) > maxServerWaitMs
}

/** Returns the ms to leave a server alone after this many refusals in a row: those that it asks for, as far as anybody waits. */
export function serverWait({ details }: PipeError, refusals: number): number {
  return Math.min(Number(details['retry_after_ms'] ?? 0), maxServerWaitMs) || doubled(refusals)
}

function doubled(times: number): number {
  return Math.min(firstWaitMs * 2 ** (times - 1), maxWaitMs)
}
