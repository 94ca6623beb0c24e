import { openSync, unlinkSync } from 'node:fs'
import { OpenFile } from '../files/open-file.ts'
import { fileError } from '../files/system-error.ts'
import type { JsonObject } from '../json-value.ts'
import { lead, preamble } from './layout.ts'
import { type Entry, type Place, writeEntry } from './place.ts'

/** Writes the first message of a writer, and says where the next one goes. May be tried again where it fails. */
export type Begin = (entry: Entry) => Place | Promise<Place>

/** Begins a file. Nothing is on the disk before; a crash in the middle leaves what readers know as a cut file. */
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

/** Throws what the system said, as a PipeError. */
export function openToWrite(path: string, { isNew }: { readonly isNew: boolean }): OpenFile {
  try {
    return new OpenFile(path, openSync(path, isNew ? 'wx' : 'r+', 0o600), { isNew })
  } catch (error) {
    throw fileError(error, path, 'open')
  }
}
