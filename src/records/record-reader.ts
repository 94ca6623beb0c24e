import { errorText, PipeError } from '../error.ts'
import { isDeeper, isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { type Boundary, boundaryOf } from './boundary.ts'
import { readRow } from './csv-row.ts'
import { type InputRecord, longestRecord, type RecordFormat } from './input-record.ts'

/** Holds the facts about a record besides its bytes. */
type Content = Pick<InputRecord, 'text' | 'fields' | 'fault'>

export interface RecordReaderOptions {
  /** The most bytes of a record that are kept; more are cut. Default: what a model may get. */
  readonly mostKept?: number
  /** Takes the names of fields before any record. What it throws ends the reading. */
  readonly onNames?: (names: readonly string[]) => void
  /** Cuts the input where it fires, and with it a record whose end was not read. Default: the input ends by itself. */
  readonly signal?: AbortSignal
}

/** Reads the records of an input one by one, in memory of one record. */
export class RecordReader {
  readonly #format: RecordFormat
  readonly #options: Required<RecordReaderOptions>
  readonly #boundary: Boundary
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #names: readonly string[] | undefined
  #header: Uint8Array | undefined
  #parts: Uint8Array[] = []
  /** The bytes of the record so far, and those of the input before it. */
  #size = 0
  #start = 0
  #count = 0

  constructor(
    format: RecordFormat,
    {
      mostKept = longestRecord,
      onNames = () => undefined,
      signal = new AbortController().signal,
    }: RecordReaderOptions = {},
  ) {
    this.#format = format
    this.#options = { mostKept, onNames, signal }
    this.#boundary = boundaryOf(format)
  }

  /** The header row of CSV as it came in, once it was read. */
  get header(): Uint8Array | undefined {
    return this.#header
  }

  /** Throws `input` for a header that cannot be read. Pieces may be overwritten once the next is pulled. */
  async *read(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<InputRecord, undefined, undefined> {
    for await (const piece of pieces) {
      let from = 0
      for (let to = this.#boundary.find(piece, 0); to !== -1; to = this.#boundary.find(piece, from)) {
        this.#add(piece.subarray(from, to))
        from = to + 1
        const record = this.#finish(1)
        if (record !== undefined) yield record
      }
      if (from < piece.length) this.#add(Buffer.from(piece.subarray(from)))
    }
    const isWhole = this.#size > 0 && !this.#options.signal.aborted
    const last = isWhole ? this.#finish(0) : undefined
    if (last !== undefined) yield last
  }

  #add(part: Uint8Array): void {
    const room = this.#options.mostKept - this.#size
    if (room > 0) this.#parts.push(part.length > room ? part.subarray(0, room) : part)
    this.#size += part.length
  }

  /** Returns the record that ends here; `undefined` for a blank one and for the header of CSV. */
  #finish(separator: number): InputRecord | undefined {
    const size = this.#size
    const isCut = size > this.#options.mostKept
    const raw = this.#parts.length === 1 ? Buffer.from(this.#parts[0] ?? []) : Buffer.concat(this.#parts)
    this.#start += size + separator
    this.#parts = []
    this.#size = 0
    const content = this.#contentOf(raw, size)
    if (content === undefined) return undefined
    this.#count += 1
    return { index: this.#count, raw, ...content, end: this.#start, ...(isCut && { isCut }) }
  }

  #contentOf(raw: Uint8Array, size: number): Content | undefined {
    const isHeader = this.#format === 'csv' && this.#names === undefined
    const read = this.#textOf(raw, size)
    if (isHeader) {
      if (read.fault === undefined && read.text === '') return undefined
      this.#names = readHeader(read)
      this.#header = raw
      this.#options.onNames(this.#names)
      return undefined
    }
    if (read.fault !== undefined) return { text: '', fault: read.fault }
    const { text } = read
    if (text.trim() === '') return undefined
    if (this.#format === 'ndjson') return readJson(text)
    return this.#names === undefined ? { text } : readFields(text, this.#names)
  }

  #textOf(raw: Uint8Array, size: number): { readonly text: string; readonly fault?: string } {
    if (size > longestRecord)
      return { text: '', fault: `it has ${size} bytes, and a record may have ${longestRecord}` }
    try {
      const text = this.#decoder.decode(raw)
      const unmarked = this.#count === 0 ? text.replace(/^\uFEFF/, '') : text
      return { text: this.#format === 'nul' ? unmarked : unmarked.replace(/\r$/, '') }
    } catch {
      return { text: '', fault: 'it is not UTF-8; iconv converts other encodings' }
    }
  }
}

/** Most levels of JSON, which are safe for recursion. */
const deepest = 200

function readJson(text: string): Content {
  try {
    const value: JsonValue = JSON.parse(text)
    if (isDeeper(value, deepest)) return { text: '', fault: `it nests deeper than ${deepest} levels` }
    return isJsonObject(value) ? { text, fields: value } : { text }
  } catch (error) {
    return { text: '', fault: `it is not JSON: ${errorText(error)}` }
  }
}

function readFields(text: string, names: readonly string[]): Content {
  const values = readRow(text)
  if (typeof values === 'string') return { text: '', fault: values }
  if (values.length !== names.length)
    return { text: '', fault: `it has ${values.length} fields, and the header has ${names.length}` }
  const fields: JsonObject = Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']))
  return { text: JSON.stringify(fields), fields }
}

function readHeader({ text, fault }: { readonly text: string; readonly fault?: string }): readonly string[] {
  const names = fault === undefined ? readRow(text) : fault
  if (typeof names === 'string')
    throw new PipeError('input', `the header of the CSV cannot be read: ${names}`)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined)
    throw new PipeError('input', `the header of the CSV has the field ${JSON.stringify(twice)} twice`)
  return names
}
