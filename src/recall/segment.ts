import { closeSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { readFrom } from '../files/descriptor.ts'
import { systemCode } from '../files/system-error.ts'
import { isSessionId } from '../id.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { bucketCount, bucketOf, type IndexedDocument, type Postings, type Source } from './source.ts'

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

/** Opens a segment's file: reads its documents, and its terms on demand. Throws `SegmentFault`. */
export function openSegment(path: string): Source {
  const parts = readHeader(path)
  const documents = decodeDocuments(readPart(path, parts[0]).toString('utf8'))
  if (documents === undefined) throw new SegmentFault(path)
  const bytesOf = (number: number) => readPart(path, parts[number + 1])
  return {
    documents,
    find: (term, longer) => readLines(bytesOf(bucketOf(term)), term, longer),
    bucket: (number) => readLines(bytesOf(number), '', true),
  }
}

interface Part {
  readonly start: number
  readonly length: number
  readonly checksum: number
}

const longestHeader = 4_096

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
    const [term = '', counts = ''] = bytes.toString('utf8', at + 1, end).split('\t')
    if (end === -1) return
    if (term !== '') yield [term, counts.split(',').map(Number)]
    at = bytes.indexOf(mark, end)
  }
}

function decodeDocuments(text: string): readonly IndexedDocument[] | undefined {
  const { folders, rows } = parseObject(text)
  if (!Array.isArray(folders) || !Array.isArray(rows)) return undefined
  const documents = rows.flatMap((row) => (Array.isArray(row) ? decodeRow(row, folders) : []))
  return documents.length === rows.length ? documents : undefined
}

function decodeRow(row: readonly unknown[], folders: readonly unknown[]): readonly IndexedDocument[] {
  const [id, createdAt, folder, ...numbers] = row
  const [from, through, size, modified, at, length] = numbers.filter((one) => typeof one === 'number')
  const cwd = folders[Number(folder)]
  if (typeof id !== 'string' || !isSessionId(id) || typeof createdAt !== 'string') return []
  if (from === undefined || through === undefined || size === undefined) return []
  if (modified === undefined || at === undefined || length === undefined) return []
  const folderName = typeof cwd === 'string' && cwd !== '' ? cwd : undefined
  return [{ id, createdAt, from, through, size, modified, at, length, ...omitUndefined({ cwd: folderName }) }]
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
