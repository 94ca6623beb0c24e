import { type Clock, sleepBy } from '../../../src/clock.ts'
import { now } from '../messages/messages.ts'

/** A clock that a test advances by hand. */
export interface HandClock extends Clock {
  /** Durations of sleeps and timers in order. */
  readonly slept: readonly number[]
  /** Number of pending sleeps and timers. */
  readonly sleeping: number
  /** Advances time and ends all due sleeps and timers. */
  advance(ms: number): void
}

interface Beat {
  next: number
  readonly ms: number
  readonly act: () => void
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

export function createHandClock(): HandClock {
  let passed = 0
  const slept: number[] = []
  const sleepers = new Set<Sleeper>()
  const beats = new Set<Beat>()
  const after = (ms: number, action: () => void) => {
    if (ms === 0) {
      const idle = setImmediate(action)
      return () => clearImmediate(idle)
    }
    slept.push(ms)
    const sleeper = {
      until: passed + ms,
      wake: () => {
        sleepers.delete(sleeper)
        action()
      },
    }
    sleepers.add(sleeper)
    return () => void sleepers.delete(sleeper)
  }
  return {
    slept,
    get sleeping() {
      return sleepers.size
    },
    now: () => now + passed,
    monotonic: () => passed,
    sleep: sleepBy(after),
    after,
    every: (ms, act) => {
      const beat = { next: passed + ms, ms, act }
      beats.add(beat)
      return () => void beats.delete(beat)
    },
    advance: (ms) => {
      passed += ms
      for (const beat of [...beats]) {
        for (; beats.has(beat) && beat.next <= passed; beat.next += beat.ms) beat.act()
      }
      for (const { until, wake } of [...sleepers]) if (until <= passed) wake()
    },
  }
}
