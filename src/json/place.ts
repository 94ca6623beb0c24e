import { ftruncateSync } from 'node:fs'
import type { OpenFile } from '../files/open-file.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import { writeWhole } from './descriptor.ts'
import { lead } from './layout.ts'

/** One message's line and the closing lines after it. */
export interface Entry {
  readonly message: string
  readonly closing: string
}

/** Where the next message goes in an open file. */
export interface Place {
  readonly file: OpenFile
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
export function writeEntry(place: Place, entry: Entry): Place {
  const message = Buffer.from(place.lead + entry.message)
  const end = place.end + message.length
  const closing = padTo(place.end + place.closing.length - end, Buffer.from(entry.closing))
  try {
    writeWhole(place.file.descriptor, Buffer.concat([message, closing]), place.end)
  } catch (error) {
    putBack(place)
    throw fileError(error, place.file.path, 'write')
  }
  return { ...place, end, closing, lead: lead(false) }
}

/** Blanks cover what shorter closing lines would leave of longer ones; to cut it off would be a second write. */
function padTo(length: number, closing: Buffer): Buffer {
  return length > closing.length
    ? Buffer.concat([closing, Buffer.alloc(length - closing.length, ' ')])
    : closing
}

/** Where this fails too, readers still find every message before this one. */
function putBack({ file, end, closing }: Place): void {
  try {
    // First what cannot fail for want of room: what the next message is written over ends here.
    ftruncateSync(file.descriptor, end + closing.length)
    writeWhole(file.descriptor, closing, end)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
