import { closeSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { readFrom } from '../files/descriptor.ts'
import { systemCode } from '../files/system-error.ts'
import { isSessionId } from '../id.ts'
import {
  bucketCount,
  bucketOf,
  type IndexedDocument,
  type Postings,
  type SearchSource,
} from './search-source.ts'

// A segment is a file of parts: the documents, then the terms of each bucket. Its first line holds each part's length and checksum,
// so that a search reads and checks the parts it needs.

/** Changes with the layout, the words and the text that is indexed. Indexes of another version are rebuilt. */
export const indexVersion = 1

/** A segment that is missing or damaged. */
export class SegmentFault extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is missing or damaged`)
    this.path = path
  }
}

/** Encodes a segment. `buckets` has the postings of each bucket; the numbers in them are positions in `documents`. */
export function encodeSegment(
  documents: readonly IndexedDocument[],
  buckets: readonly (readonly Postings[])[],
): Buffer {
  const parts = [encodeDocuments(documents), ...buckets.map(encodeBucket)]
  const sizes = parts.map((part) => [part.length, crc32(part)])
  const header = Buffer.from(`${JSON.stringify({ version: indexVersion, parts: sizes })}\n`)
  return Buffer.concat([header, ...parts])
}

/** Encodes one line per term, after a newline, so that `\n` and a term finds it. */
function encodeBucket(postings: readonly Postings[]): Buffer {
  const lines = postings.map(([term, counts]) => `\n${term}\t${counts.join(',')}`)
  return Buffer.from(`${lines.join('')}\n`)
}

function encodeDocuments(documents: readonly IndexedDocument[]): Buffer {
  const folders = [...new Set(documents.map(({ cwd }) => cwd ?? ''))]
  const numbers = new Map(folders.map((folder, i) => [folder, i]))
  const rows = documents.map(({ id, from, through, createdAt, cwd, size, modified, at, length }) => [
    ...[id, createdAt, numbers.get(cwd ?? '') ?? 0],
    ...[from, through, size, modified, at, length],
  ])
  return Buffer.from(JSON.stringify({ folders, rows }))
}

/** Opens a segment's file. Reads its documents and terms on demand. Throws `SegmentFault`. */
export function openSegment(path: string): SearchSource {
  const parts = readHeader(path)
  const bytesOf = (number: number) => readPart(path, parts[number + 1])
  let documents: readonly IndexedDocument[] | undefined
  return {
    get documents() {
      documents ??= decodeDocuments(readPart(path, parts[0]).toString('utf8'))
      if (documents === undefined) throw new SegmentFault(path)
      return documents
    },
    find: (term, longer) => readLines(bytesOf(bucketOf(term)), term, longer),
    bucket: (number) => readLines(bytesOf(number), '', true),
  }
}

interface Part {
  readonly start: number
  readonly length: number
  readonly checksum: number
}

const longestHeader = 16_384

function readHeader(path: string): readonly Part[] {
  const beginning = readBytes(path, 0, longestHeader)
  const end = beginning.indexOf('\n')
  const header = parseObject(beginning.toString('latin1', 0, Math.max(0, end)))
  if (header['version'] !== indexVersion || !Array.isArray(header['parts'])) throw new SegmentFault(path)
  let start = end + 1
  const parts: Part[] = []
  for (const [length, checksum] of header['parts'].filter(Array.isArray)) {
    if (typeof length !== 'number' || typeof checksum !== 'number') throw new SegmentFault(path)
    parts.push({ start, length, checksum })
    start += length
  }
  if (parts.length !== bucketCount + 1) throw new SegmentFault(path)
  return parts
}

function readPart(path: string, part: Part | undefined): Buffer {
  const bytes = part && readBytes(path, part.start, part.length)
  if (bytes === undefined || bytes.length !== part?.length || crc32(bytes) !== part.checksum)
    throw new SegmentFault(path)
  return bytes
}

function readBytes(path: string, start: number, length: number): Buffer {
  try {
    const descriptor = openSync(path, 'r')
    try {
      return readFrom(descriptor, start, length)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw new SegmentFault(path)
  }
}

function* readLines(
  bytes: Buffer,
  wanted: string,
  longer: boolean,
): Generator<Postings, undefined, undefined> {
  const mark = Buffer.from(longer ? `\n${wanted}` : `\n${wanted}\t`)
  for (let at = bytes.indexOf(mark); at !== -1; ) {
    const end = bytes.indexOf('\n', at + 1)
    const tab = bytes.indexOf('\t', at + 1)
    if (end === -1 || tab === -1) return
    yield [bytes.toString('utf8', at + 1, tab), readNumbers(bytes.subarray(tab + 1, end))]
    at = bytes.indexOf(mark, end)
  }
}

/** Reads numbers with commas between them. Common words have tens of thousands, and texts would cost ten times as much. */
function readNumbers(bytes: Buffer): readonly number[] {
  const numbers: number[] = []
  let number = 0
  for (const byte of bytes) {
    if (byte === comma) {
      numbers.push(number)
      number = 0
    } else number = number * 10 + byte - zero
  }
  numbers.push(number)
  return numbers
}

const comma = 0x2c
const zero = 0x30

// Written without the usual destructuring, which takes several times as long for thousands of rows.
function decodeDocuments(text: string): readonly IndexedDocument[] | undefined {
  const { folders, rows } = parseObject(text)
  if (!Array.isArray(folders) || !Array.isArray(rows)) return undefined
  const documents: IndexedDocument[] = []
  for (const row of rows) {
    const document = Array.isArray(row) ? decodeRow(row, folders) : undefined
    if (document === undefined) return undefined
    documents.push(document)
  }
  return documents
}

function decodeRow(row: readonly unknown[], folders: readonly unknown[]): IndexedDocument | undefined {
  const id = row[0]
  const createdAt = row[1]
  const folder = row[2]
  const from = row[3]
  const through = row[4]
  const size = row[5]
  const modified = row[6]
  const at = row[7]
  const length = row[8]
  if (typeof id !== 'string' || !isSessionId(id) || typeof createdAt !== 'string') return undefined
  if (typeof folder !== 'number' || typeof from !== 'number' || typeof through !== 'number') return undefined
  if (typeof size !== 'number' || typeof modified !== 'number') return undefined
  if (typeof at !== 'number' || typeof length !== 'number') return undefined
  const cwd = folders[folder]
  return typeof cwd === 'string' && cwd !== ''
    ? { id, createdAt, cwd, from, through, size, modified, at, length }
    : { id, createdAt, from, through, size, modified, at, length }
}

/** Parses without the check of nesting, which takes longer than the parsing. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
