import type { FileHandle } from 'node:fs/promises'
import { throwIfAborted } from '../error.ts'
import { type Line, splitLines } from '../files/split-lines.ts'

const chunkSize = 256 * 1024

/** Reads the lines of a file. Holds at most the longest line in memory. Throws `aborted`. */
export function readLines(file: FileHandle, signal: AbortSignal): AsyncGenerator<Line, undefined, undefined> {
  return splitLines(readFile(file, signal))
}

/** Reads a file in chunks, each valid until the next is pulled. */
async function* readFile(
  file: FileHandle,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, undefined, undefined> {
  const chunk = Buffer.allocUnsafe(chunkSize)
  for (let position = 0; ; ) {
    throwIfAborted(signal)
    const { bytesRead } = await file.read(chunk, 0, chunkSize, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}
