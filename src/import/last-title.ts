import { isPipeError } from '../error.ts'
import { promises } from '../files/lazy-fs.ts'
import { splitLines } from '../files/reading/split-lines.ts'
import { systemCode } from '../files/system-error.ts'
import { type ReadingSession, readSession } from './read-session.ts'

/** Bytes at the end of a file that are searched: agents write the title again while they work. */
const tailBytes = 64 * 1024

/** Returns the title that the end of a session names; `undefined` if there is none or the file cannot be read. */
export async function lastTitle(path: string, reading: ReadingSession): Promise<string | undefined> {
  try {
    return (await readSession(splitLines(tailOf(path)), reading)).title
  } catch (error) {
    if (!isPipeError(error) && systemCode(error) === undefined) throw error
    return undefined
  }
}

async function* tailOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await promises().open(path)
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(size, tailBytes))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length)
    // The first line is cut, unless the file is this short.
    const from = size > tailBytes ? buffer.indexOf('\n') + 1 : 0
    yield buffer.subarray(from, bytesRead)
  } finally {
    await file.close()
  }
}
