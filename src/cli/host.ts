import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { devNull, hostname, totalmem, userInfo } from 'node:os'
import { dirname, isAbsolute, resolve } from 'node:path'
import { isPipeError, PipeError } from '../error.ts'
import { systemCode } from '../files/system-error.ts'
import { createNewId, type NewId } from '../id.ts'
import { absoluteEntries } from '../process/search-path.ts'
import { systemPath } from '../process/system-path.ts'
import { type Outputs, printWarning } from '../terminal/output.ts'
import { closedVariable, ignoredVariable } from './launch/launcher-variables.ts'
import type { Machine } from './machine.ts'
import { createRandomBytes } from './random.ts'
import { closedOutput, openNotes, openOutput } from './standard-output.ts'
import { systemClock } from './system-clock.ts'

/** The machine and the process, read here once and passed down. */
export interface Host extends HostProcess, Pick<Machine, 'cwd' | 'added'> {}

/** The host without the working folder, which may be gone. */
export interface HostProcess extends Omit<Machine, 'cwd' | 'added'>, Outputs {
  readonly argv: readonly string[]
  /** Signals that the parent process set to be ignored. */
  readonly ignored: readonly string[]
  /** The start time of the process, on the monotonic clock. */
  readonly startedMs: number
  /** Whether everything is in one executable, instead of a package that Node runs. */
  readonly isOneFile?: boolean
}

/** Says how the program was started. */
export interface Launch {
  /** The folder inside the one-file build that holds `dist`. Default: that of the installed package. */
  readonly packageFolder?: string
}

/** Reads the host without its working folder; `enterFolder` returns that. */
export async function openHost({ packageFolder }: Launch = {}): Promise<HostProcess> {
  const stderr = await openNotes(2)
  return {
    ...readMachine(process.env),
    argv: process.argv.slice(2),
    ignored: readIgnored(),
    startedMs: systemClock.monotonic() - process.uptime() * 1_000,
    stdout: isOurs(process.env[closedVariable]) ? closedOutput : await openOutput(1),
    stderr,
    warn: (line) => printWarning({ stderr }, line),
    packageFolder: () => packageFolder ?? programFolder(process.argv[1] ?? '.'),
    isOneFile: packageFolder !== undefined,
  }
}

/** Reads the facts about this process and its machine. */
export function readMachine(env: Environment): Omit<Machine, 'cwd' | 'added' | 'warn' | 'packageFolder'> {
  return {
    env: ownEnvironment(env),
    home: findHome(env['HOME']),
    pid: process.pid,
    uid: process.getuid?.(),
    hostname: hostname(),
    platform: process.platform,
    isBun: 'bun' in process.versions,
    memory: totalmem(),
    clock: systemClock,
    newId: systemIds(),
    random: Math.random,
  }
}

/** Creates ids from the system's random numbers and clock. */
export function systemIds(): NewId {
  return createNewId(createRandomBytes(), Date.now)
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the package's folder; the program is in a subfolder. Follows the link that npm makes to the program. */
function programFolder(program: string): string {
  return dirname(dirname(existsSync(program) ? realpathSync(program) : resolve(program)))
}

/**
 * The home folder: `HOME`, or the system's entry for the user. Falls back to a path that can be neither read nor created when there is
 * none or this user cannot enter it (a container's `HOME=/root`).
 */
export function findHome(given: string | undefined): string {
  if (given !== undefined && isAbsolute(given)) return isClosed(given) ? devNull : given
  try {
    const { homedir } = userInfo()
    return isAbsolute(homedir) ? homedir : devNull
  } catch {
    // A container's user often has no entry.
    return devNull
  }
}

/**
 * Returns the real path of the folder that `-C` names, or of the one pipe was started in, and changes to it, because packages ask the
 * process for its folder. Throws `usage`, `not_found`.
 */
export function enterFolder(named: string | undefined, flag = '-C'): string {
  try {
    if (named !== undefined) process.chdir(named)
  } catch (error) {
    const reason = refusals[systemCode(error) ?? ''] ?? 'there is no such folder'
    throw new PipeError('usage', `${flag} ${named}: ${reason}`, { cause: error })
  }
  try {
    return realpathSync(process.cwd())
  } catch (error) {
    throw new PipeError(
      'not_found',
      'the folder that pipe was started in is gone, or you may not enter it; start pipe in another, or name one with -C DIR',
      { cause: error },
    )
  }
}

/** Returns the real path of a folder that `--add-dir` names. Throws `usage`. */
export function addedFolder(named: string): string {
  return realFolder(named, `--add-dir ${named}`)
}

/** Whether a word is a folder, seen from the folder that `-C` names or the one pipe was started in. */
export function isFolder(word: string, cd = ''): boolean {
  return word !== '' && existsSync(`${resolve(cd, word)}/.`)
}

/** Whether a word is a file, seen from the same folder. */
export function isFile(word: string, cd = ''): boolean {
  return word !== '' && statSync(resolve(cd, word), { throwIfNoEntry: false })?.isFile() === true
}

/** Returns the real path of a folder. `label` begins the error. Throws `usage` if it cannot be entered. */
export function realFolder(named: string, label: string): string {
  try {
    // Unlike `realpathSync`, the native one rejects an empty name instead of taking it for the working folder.
    const folder = realpathSync.native(named)
    accessSync(`${folder}/.`, constants.X_OK)
    return folder
  } catch (error) {
    const reason = refusals[systemCode(error) ?? ''] ?? 'there is no such folder'
    throw new PipeError('usage', `${label}: ${reason}`, { cause: error })
  }
}

/** Returns the real path of an absolute folder that a file names; `undefined` if it cannot be entered. */
export function foundFolder(named: string): string | undefined {
  try {
    return isAbsolute(named) ? realFolder(named, named) : undefined
  } catch (error) {
    if (!isPipeError(error)) throw error
    return undefined
  }
}

const refusals: Readonly<Record<string, string>> = {
  ENOTDIR: 'it is a file, not a folder',
  EACCES: 'it cannot be entered',
}

function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return false
  } catch (error) {
    return systemCode(error) === 'EACCES'
  }
}

/**
 * Copies the environment, so that later changes to the process do not affect the run. Keeps only absolute `PATH` entries: a relative one
 * would run the working folder's own `ls`.
 */
function ownEnvironment(given: Environment): Record<string, string> {
  const env = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined || name === ignoredVariable || name === closedVariable ? [] : [[name, value]],
    ),
  )
  return { ...env, PATH: absoluteEntries(env['PATH'] ?? '').join(':') || systemPath }
}

function readIgnored(): readonly string[] {
  const [pid, ...names] = (process.env[ignoredVariable] ?? '').split(' ')
  return isOurs(pid) ? names.map((name) => `SIG${name}`) : []
}

/** Whether a value was set for this process, and not inherited from another one. */
function isOurs(pid: string | undefined): boolean {
  return pid === String(process.pid)
}
