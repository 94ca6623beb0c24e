import type { FileHandle } from 'node:fs/promises'
import { throwIfAborted } from '../error.ts'

export interface Line {
  /** Counted from 1. */
  readonly number: number
  /** Byte offset in the file. */
  readonly start: number
  /** Excludes the newline. Valid until the next line is pulled. */
  readonly bytes: Buffer
  /** Whether it ends in a newline. */
  readonly whole: boolean
}

const newline = 0x0a
const chunkSize = 256 * 1024

/** Reads the lines of a file. Holds at most the longest line in memory. Throws `aborted`. */
export async function* readLines(
  file: FileHandle,
  signal: AbortSignal,
): AsyncGenerator<Line, undefined, undefined> {
  const chunk = Buffer.allocUnsafe(chunkSize)
  let begun: Buffer[] = []
  let number = 1
  let start = 0
  for (let position = 0; ; ) {
    throwIfAborted(signal)
    const { bytesRead } = await file.read(chunk, 0, chunkSize, position)
    if (bytesRead === 0) break
    position += bytesRead
    const read = chunk.subarray(0, bytesRead)
    let from = 0
    for (let to = read.indexOf(newline); to !== -1; to = read.indexOf(newline, from)) {
      const rest = read.subarray(from, to)
      const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      yield { number, start, bytes, whole: true }
      begun = []
      number += 1
      start += bytes.length + 1
      from = to + 1
    }
    // Copies a partial line, as the next read overwrites the chunk.
    if (from < bytesRead) begun.push(Buffer.from(read.subarray(from)))
  }
  if (begun.length > 0) yield { number, start, bytes: Buffer.concat(begun), whole: false }
}
