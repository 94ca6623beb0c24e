import { readFileSync } from 'node:fs'
import { PipeError } from '../../error.ts'
import { fileError } from '../../files/system-error.ts'

/** Largest file that a flag names for its text, in bytes. */
const limit = 1024 * 1024

/** Reads a text file that a flag names, which may be a pipe of the shell, as in `<(…)`. Throws `input` that names the flag. */
export function readGivenFile(flag: string, path: string): string {
  const bytes = bytesOf(flag, path)
  if (bytes.length > limit) throw new PipeError('input', `${flag}: ${path} has more than ${limit} bytes`)
  if (bytes.includes(0)) throw new PipeError('input', `${flag}: ${path} is not text`)
  return new TextDecoder().decode(bytes)
}

function bytesOf(flag: string, path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new PipeError('input', `${flag}: ${fileError(error, path, 'read').message}`, { cause: error })
  }
}
