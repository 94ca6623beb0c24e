import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'

/** The machine's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(): a module that costs a millisecond to load stands behind it.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: (ms, signal) => (ms === 0 && !signal.aborted ? whenIdle() : pause(ms, signal)),
}

function whenIdle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new PipeError('aborted', 'interrupted'))
    }
    const awake = () => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    // Timers come due while the process is stopped: what came in meanwhile is read before they act.
    const timer = setTimeout(() => void setImmediate(awake), ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
