import { readFileSync } from 'node:fs'
import { systemCode } from './system-error.ts'

/** Returns the bytes of a file; `undefined` if there is none. Throws the system's error. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
