import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PipeError } from '../error.ts'
import { syncFolder, writeAtomically } from '../files/atomic.ts'
import { fileError } from '../files/system-error.ts'
import type { JsonObject } from '../json-value.ts'
import { type Document, type ReadOptions, type Room, readDocument } from './document.ts'
import { currentVersion, lead, preamble, stateFields } from './layout.ts'
import { readFrom } from './lines.ts'
import { type Entry, type Place, writeEntry } from './place.ts'

/** Writes the first message of a writer, and says where the next one goes. May be tried again where it fails. */
export type Begin = (entry: Entry) => Promise<Place>

/** Begins a file. Nothing is on the disk before; a crash in the middle leaves what readers know as a cut file. */
export function beginNew(path: string, fields: JsonObject): Begin {
  return async (entry) => {
    const file = await openFile(path, 'wx')
    try {
      const start = { path, file, end: 0, closing: Buffer.alloc(0), lead: preamble(fields) + lead(true) }
      const place = await writeEntry(start, entry)
      await syncFolder(dirname(path))
      return place
    } catch (error) {
      await file.close()
      await rm(path, { force: true })
      throw fileError(error, path, 'write')
    }
  }
}

/** Begins after the last message of a file laid out in lines; what is torn there is moved to the file `aside()` names. */
export function beginAfter(path: string, { size, room }: Found, aside: () => string): Begin {
  let expected = size
  let torn = room.torn
  return async (entry) => {
    const file = await openFile(path)
    try {
      if ((await file.stat()).size !== expected) {
        throw new PipeError('conflict', `${path} was changed by another program; load it again`, {
          details: { path },
        })
      }
      if (torn) {
        await copyFrom(file, room.end, aside())
        await file.truncate(room.end)
        expected = room.end
        torn = false
      }
      const closing = await readFrom(file, room.end)
      return await writeEntry({ path, file, end: room.end, closing, lead: lead(room.empty) }, entry)
    } catch (error) {
      await file.close()
      throw fileError(error, path, 'write')
    }
  }
}

interface Found {
  readonly size: number
  readonly room: Room
}

export interface Old {
  readonly path: string
  /** The fields a file may have lost. */
  readonly defaults: JsonObject
  readonly aside: () => string
}

/** Begins in a file that has to be laid out anew: of another layout, an old version, or cut before its messages. */
export function beginAnew({ path, defaults, aside }: Old, options: ReadOptions): Begin {
  return async (entry) => {
    const document = await readDocument(path, options)
    if (document.damage.length > 0) await copyAll(path, aside())
    const messages = document.rows.map((row) => JSON.stringify(row.value))
    return layOut(path, lasting(document, defaults), messages, entry)
  }
}

/** What stands before the messages: all but the version, which is ours now, and the state, which goes after them. */
function lasting({ fields }: Document, defaults: JsonObject): JsonObject {
  const kept = Object.entries(fields).filter(([name]) => name !== 'version' && !stateFields.includes(name))
  return { version: currentVersion, ...defaults, ...Object.fromEntries(kept) }
}

async function layOut(
  path: string,
  fields: JsonObject,
  messages: readonly string[],
  entry: Entry,
): Promise<Place> {
  const list = [...messages, entry.message].map((message, i) => lead(i === 0) + message)
  const body = Buffer.from(preamble(fields) + list.join(''))
  const closing = Buffer.from(entry.closing)
  await writeAtomically(path, Buffer.concat([body, closing]), { mode: 0o600 })
  return { path, file: await openFile(path), end: body.length, closing, lead: lead(false) }
}

async function openFile(path: string, flags = 'r+'): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o600)
  } catch (error) {
    throw fileError(error, path, 'open')
  }
}

async function copyAll(path: string, aside: string): Promise<void> {
  const file = await openFile(path)
  try {
    await copyFrom(file, 0, aside)
  } finally {
    await file.close()
  }
}

async function copyFrom(file: FileHandle, start: number, aside: string): Promise<void> {
  await writeAtomically(aside, await readFrom(file, start), { mode: 0o600 })
}
