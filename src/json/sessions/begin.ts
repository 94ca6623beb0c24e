import { openSync, unlinkSync } from 'node:fs'
import { OpenFile } from '../../files/open-file.ts'
import { onFile } from '../../files/system-error.ts'
import type { JsonObject } from '../../json-value.ts'
import { lead, preamble } from './layout.ts'
import { type WritePosition, type WrittenEntry, writeEntry } from './write-position.ts'

/** Writes a writer's first message and returns the position of the next. May be retried after a failure. */
export type Begin = (entry: WrittenEntry) => WritePosition | Promise<WritePosition>

/** Begins a new file with the first message. Readers treat the remains of a crash as a cut file. */
export function beginNew(path: string, fields: JsonObject): Begin {
  return (entry) => {
    const file = openToWrite(path, { isNew: true })
    try {
      return writeEntry(
        { file, end: 0, closing: Buffer.alloc(0), lead: preamble(fields) + lead(true) },
        entry,
      )
    } catch (error) {
      file.close()
      unlinkSync(path)
      throw error
    }
  }
}

/** Opens a file for writing. Throws the system's error as a PipeError. */
export function openToWrite(path: string, { isNew }: { readonly isNew: boolean }): OpenFile {
  const open = () => openSync(path, isNew ? 'wx' : 'r+', 0o600)
  return onFile(path, 'open', () => new OpenFile(path, open(), { isNew }))
}
