import { chmodSync, statSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { systemCode } from './system-error.ts'

/** Codes of file systems that keep no modes, as of a mounted Windows disk. */
const unkept: readonly string[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Sets the mode of a path where its file system keeps modes. Throws system errors. */
export function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    if (!isUnkept(error)) throw error
  }
}

/** Sets the mode of an open file where its file system keeps modes. Throws system errors. */
export async function setModeOf(file: FileHandle, mode: number): Promise<void> {
  try {
    await file.chmod(mode)
  } catch (error) {
    if (!isUnkept(error)) throw error
  }
}

function isUnkept(error: unknown): boolean {
  return unkept.includes(systemCode(error) ?? '')
}

/** Whether others may use a path: never, no longer, or still, because its mode cannot be set. */
export type Openness = 'private' | 'closed' | 'open'

/** Restricts an existing path to its owner if others may use it. Ignores system errors, which opening the path reports. */
export function tighten(path: string, mode: number): Openness {
  if (!isOpenToOthers(path)) return 'private'
  try {
    chmodSync(path, mode)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
  // Some file systems accept a mode and do not keep it.
  return isOpenToOthers(path) ? 'open' : 'closed'
}

/** Whether others may read, write or search a path. False if it cannot be reached. */
export function isOpenToOthers(path: string): boolean {
  try {
    return (statSync(path).mode & 0o077) !== 0
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}
