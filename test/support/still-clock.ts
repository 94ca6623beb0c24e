import type { Clock } from '../../src/clock.ts'
import { throwIfAborted } from '../../src/error.ts'
import { now } from './messages.ts'

/** A clock that stands still: every sleep is over at once, and what is to be done later is done at once, the time noted. */
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
