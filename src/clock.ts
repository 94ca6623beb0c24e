import { PipeError } from './error.ts'

/** Time as a port: nothing below the composition root reads a clock or sets a timer by itself. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Milliseconds from some fixed point; never goes back. */
  monotonic(): number
  /** Resolves after `ms`, 0 for after all that can be done now; rejects with `aborted` at once when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Acts once after `ms`, 0 as above. Returns what stops it, which may be called at any time. */
  after(ms: number, action: () => void): () => void
  /** Repeats an action every `ms` without keeping the process alive. Returns a function that stops it, callable at any time. */
  every(ms: number, action: () => void): () => void
}

/** How to sleep by a clock that can do something later. */
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
