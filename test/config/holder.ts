import { systemClock } from '../../src/cli/system-clock.ts'
import type { PatientLockOptions } from '../../src/files/lock/lock.ts'

/** This process as a lock holder. */
export const holder: PatientLockOptions = {
  pid: process.pid,
  host: 'here',
  clock: systemClock,
  signal: new AbortController().signal,
}
