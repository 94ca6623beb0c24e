import { isUtf8 } from 'node:buffer'
import type { JsonObject } from '../../json-value.ts'
import { messagesLine } from './layout.ts'
import { readField, readMessage, type Scan, type ScannedRow } from './scan.ts'

/**
 * Reads a whole file in our layout, in half the time that `scanLines` takes for the same result. Returns `undefined` for any other
 * file: `scanLines` finds what is wrong with it.
 */
export function quickScan(bytes: Buffer): Scan | undefined {
  if (!isUtf8(bytes)) return undefined
  const lines = bytes.toString('utf8').split('\n')
  const opening = lines.indexOf(messagesLine)
  const closing = lines.indexOf('],', opening + 1)
  const last = lines.indexOf('}', closing + 1)
  const isOurs = lines[0] === '{' && lines[1]?.startsWith('"') && opening > 0 && closing > 0 && last > 0
  if (!isOurs || lines.slice(last + 1).some((line) => line.trim() !== '')) return undefined
  const header = readFields(lines.slice(1, opening))
  const tail = readFields(lines.slice(closing + 1, last))
  const rows = readRows(lines.slice(opening + 1, closing), opening + 2)
  if (header === undefined || tail === undefined || rows === undefined) return undefined
  const after = Buffer.byteLength(lines.slice(closing).join('\n')) + 1
  const comma = rows.length > 0 && lines[closing - 1]?.endsWith(',') === true ? 1 : 0
  const end = bytes.length - after - comma
  return { header, rows, tail, damage: [], end, empty: rows.length === 0, torn: false }
}

function readFields(lines: readonly string[]): JsonObject | undefined {
  const fields = lines.map(readField).filter((field) => field !== undefined)
  if (fields.length < lines.length) return undefined
  return Object.fromEntries(fields.flatMap((field) => Object.entries(field)))
}

/** `first` is the number of the first line. */
function readRows(lines: readonly string[], first: number): readonly ScannedRow[] | undefined {
  const rows: ScannedRow[] = []
  for (const text of lines) {
    const value = readMessage(text)
    if (value === undefined) return undefined
    const position = rows.length
    rows.push({ line: first + position, position, value })
  }
  return rows
}
