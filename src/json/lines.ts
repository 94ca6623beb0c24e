import { throwIfAborted } from '../error.ts'
import { splitLines, type TextLine } from '../files/reading/split-lines.ts'

const chunkSize = 256 * 1024

/** An open file, as `FileHandle` reads it. */
export interface ReadableFile {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
}

/** Reads the lines of a file. Holds at most the longest line in memory. Throws `aborted`. */
export function readLines(
  file: ReadableFile,
  signal: AbortSignal,
): AsyncGenerator<TextLine, undefined, undefined> {
  return splitLines(readFile(file, signal))
}

/** Reads a file in chunks, each valid until the next is pulled. */
async function* readFile(
  file: ReadableFile,
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
