import { type Clock, sleepBy } from '../clock.ts'

/** The machine's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(), which loads a module for a millisecond.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: sleepBy(after),
  after,
  every: (ms, action) => {
    const timer = setInterval(action, ms).unref()
    return () => clearInterval(timer)
  },
}

/** Nearly 25 days. Node's timers fire at once if set for longer. */
const longestMs = 2 ** 31 - 1

function after(ms: number, action: () => void): () => void {
  let idle: NodeJS.Immediate | undefined
  const whenIdle = () => {
    idle = setImmediate(action)
  }
  if (ms === 0) {
    whenIdle()
    return () => clearImmediate(idle)
  }
  // Timers fall due while the process is stopped. Read what arrived meanwhile before they act.
  const timer = setTimeout(whenIdle, Math.min(ms, longestMs))
  return () => {
    clearTimeout(timer)
    clearImmediate(idle)
  }
}
