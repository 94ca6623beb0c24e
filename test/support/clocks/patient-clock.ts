import { systemClock } from '../../../src/cli/system-clock.ts'
import type { Clock } from '../../../src/clock.ts'

/** The time of the system, in which waits last thirty times as long: a test waits for what comes, whatever else the machine does. */
export const patientClock: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(30 * ms, action),
}
