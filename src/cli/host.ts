import { accessSync, constants, realpathSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import type { PatientLockOptions } from '../files/lock.ts'
import { systemCode } from '../files/system-error.ts'
import { createNewId, type NewId } from '../id.ts'
import { systemClock } from './clock.ts'
import { type Output, openOutput } from './output.ts'
import { createRandomBytes } from './random.ts'

/** The world as the program meets it: read once, here, and passed down. */
export interface Host extends Surroundings {
  /** Real path. */
  readonly cwd: string
  /** Folders beside it that belong to what is worked on: real paths. Default: none. */
  readonly added?: readonly string[]
}

/** All of it but the folder to work in, which may be gone. */
export interface Surroundings {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
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

/** What is around this process; `enterFolder` says where it works. */
export async function openHost(): Promise<Surroundings> {
  return {
    argv: process.argv.slice(2),
    env: environment(),
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

/**
 * Real path of the folder that `-C` names, or else of the one pipe was started in. The process goes there, because packages ask it
 * where it is. Throws `usage`, `not_found`.
 */
export function enterFolder(named: string | undefined): string {
  try {
    if (named !== undefined) process.chdir(named)
  } catch (error) {
    const reason = refusals[systemCode(error) ?? ''] ?? 'there is no such folder'
    throw new PipeError('usage', `-C ${named}: ${reason}`, { cause: error })
  }
  try {
    return realpathSync(process.cwd())
  } catch (error) {
    throw new PipeError(
      'not_found',
      'the folder that pipe was started in is gone or closed to you; start it in another, or name one with -C DIR',
      { cause: error },
    )
  }
}

/** Real path of a folder that `--add-dir` names. Throws `usage`. */
export function addedFolder(named: string): string {
  try {
    // The native one finds no folder of an empty name; the other takes it for the one worked in.
    const folder = realpathSync.native(named)
    accessSync(`${folder}/.`, constants.X_OK)
    return folder
  } catch (error) {
    const reason = refusals[systemCode(error) ?? ''] ?? 'there is no such folder'
    throw new PipeError('usage', `--add-dir ${named}: ${reason}`, { cause: error })
  }
}

const refusals: Readonly<Record<string, string>> = {
  ENOTDIR: 'it is a file, not a folder',
  EACCES: 'it may not be entered',
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
