import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { PipeError, throwIfAborted } from '../error.ts'
import { fileError } from '../files/system-error.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import type { Damage } from '../session.ts'
import { readFrom } from './descriptor.ts'
import { currentVersion } from './layout.ts'
import { type Migration, stepsFrom } from './migrate.ts'
import { type Row, type Scan, scanLines } from './scan.ts'

/** What a session file says, brought to the current version; messages are unchecked. */
export interface Document {
  /** All but the messages. */
  readonly fields: JsonObject
  readonly rows: readonly Row[]
  readonly damage: readonly Damage[]
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Absent where the file has to be laid out anew before a message can be appended. */
  readonly room?: Room
}

/** Where the next message goes in a file laid out in lines. */
export interface Room {
  /** Byte offset after the last message that stays. */
  readonly end: number
  readonly empty: boolean
  readonly torn: boolean
  /** The fields after the messages. */
  readonly tail: JsonObject
}

export interface ReadOptions {
  readonly signal: AbortSignal
  readonly migrations: readonly Migration[]
}

/** Reads a session file, damaged or not. Throws `not_found`, `permission`, `aborted`, and `input` for what is no session. */
export async function readDocument(path: string, options: ReadOptions): Promise<Document> {
  try {
    const file = await open(path, 'r')
    try {
      return await read(file, path, options)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}

async function read(file: FileHandle, path: string, options: ReadOptions): Promise<Document> {
  const { size, mtimeMs: modified } = await file.stat()
  const scan = await scanLines(file, options.signal)
  throwIfAborted(options.signal)
  // Lines that look damaged may be what an editor has reformatted: what is JSON as a whole is not damaged.
  const whole = scan?.damage.length === 0 ? undefined : readWhole(file.fd, size, path)
  const found = whole ?? scan
  if (found === undefined) throw noSession(path)
  const fields: JsonObject = { ...found.header, ...found.tail }
  const steps = stepsFrom(versionOf(fields, found.damage), options.migrations, path)
  return {
    fields: steps.reduce((envelope, step) => step.envelope(envelope), fields),
    rows: steps.length === 0 ? found.rows : found.rows.map((row) => migrate(row, steps)),
    damage: found.damage,
    size,
    modified,
    ...(scan !== undefined && whole === undefined && steps.length === 0 ? roomIn(scan) : {}),
  }
}

function migrate(row: Row, steps: readonly Migration[]): Row {
  return { ...row, value: steps.reduce((message, step) => step.message(message), row.value) }
}

function roomIn({ end, empty, torn, tail }: Scan): { readonly room?: Room } {
  return end === undefined ? {} : { room: { end, empty, torn, tail } }
}

/** A file that lost its version line to damage is one of ours all the same. */
function versionOf(fields: JsonObject, damage: readonly Damage[]): unknown {
  return fields['version'] ?? (damage.length > 0 ? currentVersion : undefined)
}

type Whole = Pick<Scan, 'header' | 'tail' | 'rows' | 'damage'>

/** `undefined` for what is not JSON. */
function readWhole(descriptor: number, size: number, path: string): Whole | undefined {
  // A torn file is told by its end, without holding all of it.
  const end = readFrom(descriptor, Math.max(0, size - 100))
  if (size > largestWhole || !end.toString('latin1').trimEnd().endsWith('}')) return undefined
  const bytes = readFrom(descriptor, 0)
  const document = isUtf8(bytes) ? parseJson(withoutMark(bytes.toString('utf8'))) : undefined
  if (document === undefined) return undefined
  if (!isJsonObject(document)) throw noSession(path)
  const { messages, ...header } = document
  if (!Array.isArray(messages)) throw noSession(path)
  return { header, tail: {}, ...sort(messages) }
}

/** Editors put a byte order mark in front, which is no JSON. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function noSession(path: string): PipeError {
  return new PipeError('input', `cannot read ${path}: it is no session, or damaged as a whole`, {
    details: { path },
  })
}

/** Bytes. Below the longest string the runtime can hold. */
const largestWhole = 256 * 1024 * 1024

/** Without lines of their own, messages are named by their place in the list. */
function sort(messages: readonly unknown[]): Pick<Whole, 'rows' | 'damage'> {
  const rows: Row[] = []
  const damage: Damage[] = []
  for (const [position, value] of messages.entries()) {
    if (isJsonObject(value)) rows.push({ line: 1, position, value })
    else damage.push({ line: 1, reason: `message ${position + 1} is no object` })
  }
  return { rows, damage }
}
