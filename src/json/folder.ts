import { mkdir } from 'node:fs/promises'
import { fileError } from '../files/system-error.ts'

/** Makes a folder that only its owner may enter, and those above it, where they are missing. Throws `permission`, `internal`. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw fileError(error, path, 'make')
  }
}
