import { PipeError } from './error.ts'

/** Time as a port. Only the composition root reads clocks or sets timers directly. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Milliseconds from some fixed point; never goes back. */
  monotonic(): number
  /** Resolves after `ms`; with 0, after all pending work. Rejects with `aborted` at once when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Runs an action once after `ms`; 0 means the same as in `sleep`. Returns a function that cancels it, callable at any time. */
  after(ms: number, action: () => void): () => void
  /** Repeats an action every `ms` without keeping the process alive. Returns a function that stops it, callable at any time. */
  every(ms: number, action: () => void): () => void
}

/** Builds `sleep` from `after`. */
export function sleepBy(after: Clock['after']): Clock['sleep'] {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = after(ms, () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      })
      const onAbort = () => {
        stop()
        reject(new PipeError('aborted', 'interrupted'))
      }
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort, { once: true })
    })
}

/** A limit on work. `signal` ends it earlier. */
export interface TimeLimit {
  readonly clock: Clock
  readonly ms: number
  readonly signal: AbortSignal
  /** Makes the error of work that failed because its time was up. Default: what the work threw. */
  readonly late?: (cause: unknown) => Error
}

/** Does work whose signal fires after `ms`, or with the outer signal. */
export async function withinLimit<T>(
  { clock, ms, signal, late }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const cancel = clock.after(ms, () => limit.abort())
  try {
    return await work(AbortSignal.any([signal, limit.signal]))
  } catch (error) {
    if (late === undefined || !limit.signal.aborted || signal.aborted) throw error
    throw late(error)
  } finally {
    cancel()
  }
}
