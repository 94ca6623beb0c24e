import { chmodSync, statSync } from 'node:fs'
import { systemCode } from '../files/system-error.ts'

/** Makes what others on this machine may use its owner's alone, where it is there. Where that fails, a warning for a person. */
export function tighten(path: string, mode: number): readonly string[] {
  if (!isOpenToOthers(path)) return []
  try {
    chmodSync(path, mode)
    return []
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return [
      `${path} is open to others, and that cannot be changed (${code}): they may read what is said here`,
    ]
  }
}

/** What cannot be looked at cannot be opened either, and whoever opens it says so. */
function isOpenToOthers(path: string): boolean {
  try {
    return (statSync(path).mode & 0o077) !== 0
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}
