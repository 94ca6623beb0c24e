import { chmodSync, statSync } from 'node:fs'
import { systemCode } from '../files/system-error.ts'

/** Restricts an existing path to its owner if others may use it. Returns a warning for the user if that fails. */
export function tighten(path: string, mode: number): readonly string[] {
  if (!isOpenToOthers(path)) return []
  try {
    chmodSync(path, mode)
    return []
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return [
      `${path} is open to other users, who may read its contents; its permissions cannot be changed (${code})`,
    ]
  }
}

/** Whether others may use a path. Ignores system errors, which opening the path reports. */
function isOpenToOthers(path: string): boolean {
  try {
    return (statSync(path).mode & 0o077) !== 0
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}
