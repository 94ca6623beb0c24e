import { hostname } from 'node:os'
import { argv, pid, stdin, stdout } from 'node:process'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { takeLock } from '../../../src/files/lock/lock.ts'

// A process that tries to take a lock when told to, reports the result, and keeps the lock until its stdin ends.

const [, , path = ''] = argv
const { signal } = new AbortController()

stdout.write('ready\n')
stdin.once('data', () => {
  try {
    takeLock(path, { pid, host: hostname(), clock: systemClock, signal })
    stdout.write('got it\n')
  } catch (error) {
    stdout.write(`${JSON.stringify(error)}\n`)
  }
})
