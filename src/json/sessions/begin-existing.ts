import { fstatSync, ftruncateSync, readFileSync } from 'node:fs'
import { PipeError } from '../../error.ts'
import { readFrom } from '../../files/descriptor.ts'
import { fileError } from '../../files/system-error.ts'
import type { JsonObject } from '../../json-value.ts'
import { type Begin, openToWrite } from './begin.ts'
import { type AppendPoint, type Document, type DocumentReadOptions, readDocument } from './document.ts'
import { currentVersion, lead, preamble, stateFields } from './layout.ts'
import { type WritePosition, type WrittenEntry, writeEntry } from './write-position.ts'

/** Begins after the last message of a file laid out in lines. Moves torn bytes to the file named by `aside()`. */
export function beginAfter(path: string, { size, appendPoint }: Found, aside: () => string): Begin {
  let expected = size
  let torn = appendPoint.torn
  return async (entry) => {
    const file = openToWrite(path, { isNew: false })
    try {
      const { descriptor } = file
      if (fstatSync(descriptor).size !== expected) {
        throw new PipeError('conflict', `${path} was changed by another program; load it again`, {
          details: { path },
        })
      }
      if (torn) {
        await copyFrom(descriptor, appendPoint.end, aside())
        ftruncateSync(descriptor, appendPoint.end)
        expected = appendPoint.end
        torn = false
      }
      const closing = readFrom(descriptor, appendPoint.end)
      return writeEntry({ file, end: appendPoint.end, closing, lead: lead(appendPoint.empty) }, entry)
    } catch (error) {
      file.close()
      throw fileError(error, path, 'write')
    }
  }
}

interface Found {
  readonly size: number
  readonly appendPoint: AppendPoint
}

export interface Old {
  readonly path: string
  /** The fields a file may have lost. */
  readonly defaults: JsonObject
  readonly aside: () => string
}

/** Begins in a file that must be rewritten: it has another layout or an old version, or is cut before its messages. */
export function beginAnew({ path, defaults, aside }: Old, options: DocumentReadOptions): Begin {
  return async (entry) => {
    const document = await readDocument(path, options)
    if (document.damage.length > 0) await copyAll(path, aside())
    const messages = document.rows.map((row) => JSON.stringify(row.value))
    return writeInLines(path, fieldsBeforeMessages(document, defaults), messages, entry)
  }
}

/** Returns the fields before the messages: with the current version, and without the state, which follows the messages. */
function fieldsBeforeMessages({ fields }: Document, defaults: JsonObject): JsonObject {
  const kept = Object.entries(fields).filter(([name]) => name !== 'version' && !stateFields.includes(name))
  return { version: currentVersion, ...defaults, ...Object.fromEntries(kept) }
}

async function writeInLines(
  path: string,
  fields: JsonObject,
  messages: readonly string[],
  entry: WrittenEntry,
): Promise<WritePosition> {
  const all = entry.message === undefined ? messages : [...messages, entry.message]
  const list = all.map((message, i) => lead(i === 0) + message)
  const body = Buffer.from(preamble(fields) + list.join(''))
  const closing = Buffer.from(entry.closing)
  await writeWholeFile(path, Buffer.concat([body, closing]))
  return {
    file: openToWrite(path, { isNew: false }),
    end: body.length,
    closing,
    lead: lead(all.length === 0),
  }
}

async function copyAll(path: string, aside: string): Promise<void> {
  await writeWholeFile(aside, readFileSync(path))
}

async function copyFrom(descriptor: number, start: number, aside: string): Promise<void> {
  await writeWholeFile(aside, readFrom(descriptor, start))
}

/** Imports the writer late, because only damage and other layouts need it. */
async function writeWholeFile(path: string, bytes: Uint8Array): Promise<void> {
  const { writeAtomically } = await import('../../files/writing/atomic.ts')
  await writeAtomically(path, bytes, { mode: 0o600 })
}
