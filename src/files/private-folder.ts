import { mkdirSync } from 'node:fs'
import { fileError } from './system-error.ts'

/** Makes a folder that only its owner may enter, and those above it, where they are missing. Throws `permission`, `internal`. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw fileError(error, path, 'make')
  }
}
