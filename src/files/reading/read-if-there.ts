import { readFileSync } from 'node:fs'
import { fileError, systemCode } from '../system-error.ts'

/** Returns the bytes of a file; `undefined` if there is none. Throws `permission`, `invalid`, `internal`. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'read')
  }
}
