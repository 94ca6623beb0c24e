import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(): a module that costs a millisecond to load stands behind it.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: async (ms, signal) => {
    try {
      await wait(ms, undefined, { signal })
    } catch (error) {
      throw new PipeError('aborted', 'interrupted', { cause: error })
    }
  },
}
