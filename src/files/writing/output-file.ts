import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { PipeError } from '../../error.ts'
import type { OutputFile } from '../../frontend/conversation-view.ts'
import { onFile, systemCode } from '../system-error.ts'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants

/**
 * Opens a file with the output of a command, to be read bit by bit while it is shown. Throws `PipeError` unless it is a regular file:
 * a session may name any path.
 */
export function openOutputFile(path: string): OutputFile {
  const file = onFile(path, 'read', () => openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
  try {
    const facts = onFile(path, 'read', () => fstatSync(file))
    if (!facts.isFile()) throw new PipeError('input', `${path} is not a regular file`)
    return {
      size: facts.size,
      read: (at, length) => {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, facts.size - at)))
        return bytes.subarray(0, readNow(file, bytes, at))
      },
      close: () => closeSync(file),
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Returns how many bytes were read; none if the disk is gone. */
function readNow(file: number, bytes: Uint8Array, at: number): number {
  try {
    return readSync(file, bytes, 0, bytes.length, at)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return 0
  }
}
