import { writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { fileError } from '../files/system-error.ts'
import { lead } from './layout.ts'

/** One message's line and the closing lines after it. */
export interface Entry {
  readonly message: string
  readonly closing: string
}

/** Where the next message goes in an open file. */
export interface Place {
  readonly path: string
  readonly file: FileHandle
  /** Byte offset after the last message. */
  readonly end: number
  /** What stands there now, to the end of the file. */
  readonly closing: Buffer
  /** What parts the next message from what is before it. */
  readonly lead: string
}

/**
 * Writes a message over the old closing lines, with new ones after it, in one write: the file is whole JSON before and after.
 * Where it fails the old closing lines are put back, and it throws what the system said, as a PipeError.
 */
export async function writeEntry(place: Place, entry: Entry): Promise<Place> {
  const message = Buffer.from(place.lead + entry.message)
  const end = place.end + message.length
  const closing = padTo(place.end + place.closing.length - end, Buffer.from(entry.closing))
  try {
    writeAll(place.file, Buffer.concat([message, closing]), place.end)
  } catch (error) {
    // Where this fails too, readers still find every message before this one.
    await putBack(place).catch(() => undefined)
    throw fileError(error, place.path, 'write')
  }
  return { ...place, end, closing, lead: lead(false) }
}

/** Blanks cover what shorter closing lines would leave of longer ones; to cut it off would be a second write. */
function padTo(length: number, closing: Buffer): Buffer {
  return length > closing.length
    ? Buffer.concat([closing, Buffer.alloc(length - closing.length, ' ')])
    : closing
}

async function putBack({ file, end, closing }: Place): Promise<void> {
  writeAll(file, closing, end)
  await file.truncate(end + closing.length)
}

/** At once, not through the thread pool: what goes to the page cache takes microseconds, the way there and back does not. */
function writeAll(file: FileHandle, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file.fd, bytes, done, bytes.length - done, position + done)
  }
}
