import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lookThrough } from '../../files/look.ts'
import { fileError } from '../../files/system-error.ts'

/**
 * Writes a test file and removes it. Returns the reason why that fails. Uses the nearest existing parent when the folder does not exist yet.
 */
export function tryToWrite(path: string): string | undefined {
  const folder = nearestOf(path)
  const file = join(folder, `.pipe-try-${process.pid}`)
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      // A full disk accepts the name but not the bytes.
      writeSync(descriptor, Buffer.alloc(4_096))
    } finally {
      closeSync(descriptor)
      rmSync(file)
    }
    return undefined
  } catch (error) {
    return fileError(error, path, 'write in').message
  }
}

/** Finds the folder itself or its nearest existing parent. Returns a file that stands at that path. */
function nearestOf(path: string): string {
  return lookThrough(path) !== undefined || dirname(path) === path ? path : nearestOf(dirname(path))
}
