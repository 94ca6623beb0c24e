import { realpathSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import type { PatientLockOptions } from '../files/lock.ts'
import { createNewId, type NewId } from '../id.ts'
import { systemClock } from './clock.ts'
import { type Output, openOutput } from './output.ts'
import { createRandomBytes } from './random.ts'

/** The world as the program meets it: read once, here, and passed down. */
export interface Host {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Real path. */
  readonly cwd: string
  readonly home: string
  readonly pid: number
  readonly hostname: string
  readonly platform: string
  readonly clock: Clock
  readonly newId: NewId
  readonly random: () => number
  readonly stdout: Output
  readonly stderr: Output
}

/** The host of this process. */
export async function openHost(): Promise<Host> {
  return {
    argv: process.argv.slice(2),
    env: environment(),
    cwd: realpathSync(process.cwd()),
    home: process.env['HOME'] ?? homedir(),
    pid: process.pid,
    hostname: hostname(),
    platform: process.platform,
    clock: systemClock,
    newId: createNewId(createRandomBytes(), Date.now),
    random: Math.random,
    stdout: await openOutput(1),
    stderr: await openOutput(2),
  }
}

/** This process as the holder of a lock. */
export function lockHolder(
  { pid, hostname, clock }: Pick<Host, 'pid' | 'hostname' | 'clock'>,
  signal: AbortSignal,
): PatientLockOptions {
  return { pid, host: hostname, clock, signal }
}

/** A copy, so that nothing that happens to the process changes what the run sees. */
function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
