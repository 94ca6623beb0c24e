import type { Clock } from '../../src/clock.ts'
import { PipeError } from '../../src/error.ts'
import { now } from './messages.ts'

/** A clock whose time passes only when the test says so. */
export interface HandClock extends Clock {
  /** How long each sleep was to last, in the order they began. */
  readonly slept: readonly number[]
  /** How many sleep now. */
  readonly sleeping: number
  /** Lets time pass and wakes whoever has slept long enough. */
  advance(ms: number): void
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

export function createHandClock(): HandClock {
  let passed = 0
  const slept: number[] = []
  const sleepers = new Set<Sleeper>()
  return {
    slept,
    get sleeping() {
      return sleepers.size
    },
    now: () => now + passed,
    monotonic: () => passed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        slept.push(ms)
        const leave = () => {
          sleepers.delete(sleeper)
          signal.removeEventListener('abort', onAbort)
        }
        const onAbort = () => {
          leave()
          reject(new PipeError('aborted', 'interrupted'))
        }
        const wake = () => {
          leave()
          resolve()
        }
        const sleeper = { until: passed + ms, wake }
        sleepers.add(sleeper)
        if (signal.aborted) onAbort()
        else signal.addEventListener('abort', onAbort, { once: true })
      }),
    advance: (ms) => {
      passed += ms
      for (const { until, wake } of [...sleepers]) if (until <= passed) wake()
    },
  }
}
