import { readFileSync, type Stats } from 'node:fs'
import { promises } from '../lazy-fs.ts'
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

/** Returns the text of a file without holding up the program; `undefined` if there is none. Throws as `readIfThere`. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await promises().readFile(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'read')
  }
}

/** Returns the stats at a path, without following links; `undefined` if nothing is there. Throws what the system does. */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await promises().lstat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
