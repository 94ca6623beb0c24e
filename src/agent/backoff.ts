import { type PipeError, retryable } from '../error.ts'

/** Further tries after the first. */
const maxRetries = 5
const firstWaitMs = 500
const longestWaitMs = 30_000
const jitter = 0.25
/** A server that asks for more is not waited for: the person is told when it resets. */
export const longestServerWaitMs = 60_000

/**
 * How long to wait before asking again, in milliseconds; `undefined` where asking again is of no use. `attempt` counts the
 * tries so far, from 1. A server's own wish (`details.retry_after_ms`, `details.should_retry`) goes before our defaults.
 */
export function retryDelay(error: PipeError, attempt: number, random: () => number): number | undefined {
  const { should_retry: wish, retry_after_ms: asked } = error.details
  const worthwhile = wish === 'true' || (wish !== 'false' && retryable[error.code])
  if (!worthwhile || attempt > maxRetries) return undefined
  if (asked !== undefined) return Number(asked) > longestServerWaitMs ? undefined : Number(asked)
  const wait = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs)
  return Math.round(wait * (1 - jitter + 2 * jitter * random()))
}
