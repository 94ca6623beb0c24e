import type { Clock } from '../../../src/clock.ts'
import { throwIfAborted } from '../../../src/error.ts'
import { now } from '../messages/messages.ts'

/** A clock that stands still: sleeps and timers end at once, and their durations are recorded. */
export function stillClock(slept: number[] = []): Clock {
  return {
    now: () => now,
    monotonic: () => 0,
    sleep: async (ms, signal) => {
      throwIfAborted(signal)
      slept.push(ms)
    },
    after: (ms, action) => {
      slept.push(ms)
      let stopped = false
      queueMicrotask(() => {
        if (!stopped) action()
      })
      return () => {
        stopped = true
      }
    },
    every: () => () => undefined,
  }
}
