import { ftruncateSync } from 'node:fs'
import { writeWhole } from '../../files/descriptor.ts'
import type { OpenFile } from '../../files/open-file.ts'
import { fileError, systemCode } from '../../files/system-error.ts'
import { lead } from './layout.ts'

/** One message's line and the closing lines after it. Without a message, new closing lines only. */
export interface WrittenEntry {
  readonly message?: string
  readonly closing: string
}

/** The position of the next message in an open file. */
export interface WritePosition {
  readonly file: OpenFile
  /** Byte offset after the last message. */
  readonly end: number
  /** The bytes from there to the end of the file. */
  readonly closing: Buffer
  /** The separator before the next message. */
  readonly lead: string
}

/**
 * Overwrites the old closing lines with a message and new closing lines in one write: the file is valid JSON before and after. On
 * failure, restores the old closing lines and throws the system's error as a PipeError.
 */
export function writeEntry(position: WritePosition, entry: WrittenEntry): WritePosition {
  const message = Buffer.from(entry.message === undefined ? '' : position.lead + entry.message)
  const end = position.end + message.length
  const closing = padTo(position.end + position.closing.length - end, Buffer.from(entry.closing))
  try {
    writeWhole(position.file.descriptor, Buffer.concat([message, closing]), position.end)
  } catch (error) {
    restoreClosing(position)
    throw fileError(error, position.file.path, 'write')
  }
  return { ...position, end, closing, lead: message.length === 0 ? position.lead : lead(false) }
}

/** Pads shorter closing lines with blanks to cover the old ones, as truncation would need a second write. */
function padTo(length: number, closing: Buffer): Buffer {
  return length > closing.length
    ? Buffer.concat([closing, Buffer.alloc(length - closing.length, ' ')])
    : closing
}

/** Restores the closing lines. If that fails too, readers still find all earlier messages. */
function restoreClosing({ file, end, closing }: WritePosition): void {
  try {
    // Truncates first, as that cannot fail on a full disk. The next message overwrites from here.
    ftruncateSync(file.descriptor, end + closing.length)
    writeWhole(file.descriptor, closing, end)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
