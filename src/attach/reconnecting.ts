import type { Clock } from '../clock.ts'
import { isPipeError, PipeError, retryable } from '../error.ts'
import type { SentLine } from './server-client.ts'

/** A line of the stream, or what became of the connection. */
export type StreamStep =
  | { readonly type: 'line'; readonly sent: SentLine }
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'found' }

export interface ReconnectingOptions {
  readonly clock: Clock
  /** Milliseconds to look for a lost server. */
  readonly patienceMs: number
  readonly signal: AbortSignal
  /** Names the server. */
  readonly name: string
}

/** Pauses before another attempt, in ms: the first one, which doubles up to the longest. */
const firstPauseMs = 250
const longestPauseMs = 5_000

/**
 * Reads a stream of lines, and opens it again where it ends or fails for a time. Throws once the server is gone for good: what it refuses
 * for, or the last failure when patience runs out. Ends when the signal fires.
 */
export async function* reconnecting(
  listen: () => Promise<AsyncIterable<SentLine>>,
  { clock, patienceMs, signal, name }: ReconnectingOptions,
): AsyncGenerator<StreamStep, void, undefined> {
  let lostAt: number | undefined
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    let reason = `${name} has ended the connection`
    try {
      const lines = await listen()
      if (lostAt !== undefined) yield { type: 'found' }
      lostAt = undefined
      for await (const sent of lines) {
        pauseMs = firstPauseMs
        yield { type: 'line', sent }
      }
    } catch (error) {
      if (signal.aborted) return
      if (!isPipeError(error) || !retryable[error.code]) throw error
      reason = error.message
    }
    const now = clock.monotonic()
    if (lostAt === undefined) yield { type: 'lost', reason: `the connection to ${name} is lost` }
    lostAt ??= now
    if (now - lostAt >= patienceMs) throw new PipeError('network', `${name} is gone: ${reason}`)
    if (!(await isAwake(clock, pauseMs, signal))) return
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  }
}

/** Waits. Returns false if the signal fires. */
async function isAwake(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal)
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}
