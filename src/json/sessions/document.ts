import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, read as readLater } from 'node:fs'
import { promisify } from 'node:util'
import { PipeError, throwIfAborted } from '../../error.ts'
import { readFrom } from '../../files/descriptor.ts'
import { fileError } from '../../files/system-error.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../json-value.ts'
import type { Damage } from '../../session.ts'
import { currentVersion } from './layout.ts'
import { type Migration, stepsFrom } from './migrate.ts'
import { quickScan } from './quick-scan.ts'
import { type Scan, type ScannedRow, scanLines } from './scan.ts'

/** The contents of a session file, migrated to the current version. Its messages are unchecked. */
export interface Document {
  /** All fields except the messages. */
  readonly fields: JsonObject
  readonly rows: readonly ScannedRow[]
  readonly damage: readonly Damage[]
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Absent if the file must be rewritten before an append. */
  readonly appendPoint?: AppendPoint
}

/** The position of the next message in a file laid out in lines. */
export interface AppendPoint {
  /** Byte offset after the last kept message. */
  readonly end: number
  readonly empty: boolean
  readonly torn: boolean
  /** The fields after the messages. */
  readonly tail: JsonObject
}

export interface DocumentReadOptions {
  readonly signal: AbortSignal
  readonly migrations: readonly Migration[]
}

/** Reads a session file, even if damaged. Throws `not_found`, `permission`, `aborted`, and `input` if it is not a session. */
export async function readDocument(path: string, options: DocumentReadOptions): Promise<Document> {
  try {
    // Without O_NONBLOCK, a named pipe would stop the program until somebody writes to it.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return await read(descriptor, path, options)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}

async function read(descriptor: number, path: string, options: DocumentReadOptions): Promise<Document> {
  const stats = fstatSync(descriptor)
  if (!stats.isFile()) throw noSession(path)
  const { size, mtimeMs: modified } = stats
  const quick = size <= maxQuick ? quickScan(readFrom(descriptor, 0, size)) : undefined
  const scan = quick ?? (await scanSlowly(descriptor, options.signal))
  throwIfAborted(options.signal)
  // An editor may have reformatted the lines: a file that is JSON as a whole is not damaged.
  const whole = scan?.damage.length === 0 ? undefined : readWhole(descriptor, size, path)
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
    ...(scan !== undefined && whole === undefined && steps.length === 0 ? appendPointOf(scan) : {}),
  }
}

const readBytes = promisify(readLater)

function scanSlowly(descriptor: number, signal: AbortSignal): Promise<Scan | undefined> {
  return scanLines({ read: (...part) => readBytes(descriptor, ...part) }, signal)
}

/** Maximum bytes to read at once where a signal could not stop it. */
const maxQuick = 32 * 1024 * 1024

function migrate(row: ScannedRow, steps: readonly Migration[]): ScannedRow {
  return { ...row, value: steps.reduce((message, step) => step.message(message), row.value) }
}

function appendPointOf({ end, empty, torn, tail }: Scan): { readonly appendPoint?: AppendPoint } {
  return end === undefined ? {} : { appendPoint: { end, empty, torn, tail } }
}

/** Assumes the current version if damage hit the version line. */
function versionOf(fields: JsonObject, damage: readonly Damage[]): unknown {
  return fields['version'] ?? (damage.length > 0 ? currentVersion : undefined)
}

type Whole = Pick<Scan, 'header' | 'tail' | 'rows' | 'damage'>

/** Reads a file as one JSON document. Returns `undefined` if it is not JSON, or too large to read at once. */
function readWhole(descriptor: number, size: number, path: string): Whole | undefined {
  // Detects a torn file by its end, without reading all of it.
  const end = readFrom(descriptor, Math.max(0, size - 100))
  if (size > maxWhole || !end.toString('latin1').trimEnd().endsWith('}')) return undefined
  const bytes = readFrom(descriptor, 0)
  const document = isUtf8(bytes) ? parseJson(withoutMark(bytes.toString('utf8'))) : undefined
  if (document === undefined) return undefined
  if (!isJsonObject(document)) throw noSession(path)
  const { messages, ...header } = document
  if (!Array.isArray(messages)) throw noSession(path)
  return { header, tail: {}, ...separateDamage(messages) }
}

/** Removes the byte order mark that some editors add, which JSON does not allow. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function noSession(path: string): PipeError {
  return new PipeError('input', `cannot read ${path}: it is not a session, or completely damaged`, {
    details: { path },
  })
}

/** Maximum bytes to read at once, below the longest string of the runtime. */
const maxWhole = 256 * 1024 * 1024

/** Separates messages from damage, by position in the list as they have no lines. */
function separateDamage(messages: readonly unknown[]): Pick<Whole, 'rows' | 'damage'> {
  const rows: ScannedRow[] = []
  const damage: Damage[] = []
  for (const [position, value] of messages.entries()) {
    if (isJsonObject(value)) rows.push({ line: 1, position, value })
    else damage.push({ line: 1, reason: `message ${position + 1} is not an object` })
  }
  return { rows, damage }
}
