import { closeSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PipeError } from '../../error.ts'
import { lookThrough } from '../../files/look.ts'
import { fileError } from '../../files/system-error.ts'

/** Reports what a test file showed about a folder. */
export interface Trial {
  /** The reason why it cannot be written. */
  readonly refusal?: PipeError
  /** Whether a file there can be closed to other users. */
  readonly keepsModes: boolean
}

/** Writes a test file and removes it. Uses the nearest existing parent when the folder does not exist yet. */
export function tryToWrite(path: string): Trial {
  const folder = nearestOf(path)
  const file = join(folder, `.pipe-try-${process.pid}`)
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      // A full disk accepts the name but not the bytes.
      writeSync(descriptor, Buffer.alloc(4_096))
      return { keepsModes: (fstatSync(descriptor).mode & 0o077) === 0 }
    } finally {
      closeSync(descriptor)
      rmSync(file)
    }
  } catch (error) {
    return { refusal: fileError(error, path, 'write in'), keepsModes: true }
  }
}

/** Finds the folder itself or its nearest existing parent. Returns a file that stands at that path. */
function nearestOf(path: string): string {
  return lookThrough(path) !== undefined || dirname(path) === path ? path : nearestOf(dirname(path))
}
