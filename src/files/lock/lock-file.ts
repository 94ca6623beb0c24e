import {
  closeSync,
  fstatSync,
  futimesSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import type { Clock } from '../../clock.ts'
import { systemCode } from '../system-error.ts'

/** The contents and time of a lock file. */
export interface FoundLock {
  readonly content: string
  /** Time of the last write, in milliseconds, by the clock of the file system. */
  readonly beatAt: number
}

/** Reads a lock file. `undefined` if it does not exist. Reopens it each time, so that a network file system asks its server. */
export function lookAtLock(path: string): FoundLock | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    return { beatAt: fstatSync(descriptor).mtimeMs, content: readFileSync(descriptor, 'utf8') }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Reads the contents alone, which is quicker. Reopens the file each time, too. */
export function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Error codes of file systems without hard links. */
const linkless: readonly string[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EACCES']

/** Puts a lock file in place, atomically where hard links work. Returns false if another lock file exists. */
export function placeIfFree(draft: string, path: string, content: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    if (!linkless.includes(systemCode(error) ?? '')) throw error
  }
  return writeIfFree(path, content)
}

function writeIfFree(path: string, content: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(descriptor, content)
    return true
  } catch (error) {
    unlinkSync(path)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Rewrites the lock file, so that the file system updates its time by its own clock. Never changes another holder's file. */
export function beat(path: string, content: string, clock: Clock): void {
  try {
    const descriptor = openSync(path, 'r+')
    try {
      if (readFileSync(descriptor, 'utf8') === content) rewrite(descriptor, content, clock)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    // Ignores system errors: the lock is checked again before any write.
    if (systemCode(error) === undefined) throw error
  }
}

function rewrite(descriptor: number, content: string, clock: Clock): void {
  try {
    writeSync(descriptor, content, 0)
  } catch (error) {
    // A full disk may refuse even a rewrite of the same bytes.
    if (systemCode(error) === undefined) throw error
    futimesSync(descriptor, clock.now() / 1_000, clock.now() / 1_000)
  }
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}
