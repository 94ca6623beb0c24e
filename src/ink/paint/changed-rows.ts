import { columnsOf, isEven, isPlain } from '../rows/columns.ts'
import { inColumns, plainRow } from '../rows/in-columns.ts'

// A live row that a terminal shows wider than it was counted must stay one row, or later changes would hit the rows around it.
const [wrapOff, wrapOn] = ['\u001b[?7l', '\u001b[?7h'] as const

/**
 * Returns the bytes that turn live rows on the terminal into others, writing only rows that differ. The cursor is at the start of the row
 * below them, before and after. A row is erased before it is written: behind a full one, some terminals would erase its last cell.
 */
export function changeRows(before: readonly string[], after: readonly string[]): string {
  const first = after.findIndex((row, i) => row !== before[i])
  const from = first === -1 ? after.length : first
  if (from === after.length && after.length === before.length) return ''
  const up = before.length - from
  const parts = [up > 0 ? `\u001b[${up}A` : '', wrapOff]
  let skipped = 0
  for (const [i, row] of after.entries()) {
    if (i < from) continue
    if (row === before[i]) {
      skipped++
      continue
    }
    parts.push(downBy(skipped), rewritten(before[i], row))
    skipped = 0
  }
  parts.push(downBy(skipped), wrapOn)
  if (after.length < before.length) parts.push('\u001b[J')
  return parts.join('')
}

/** Rows on the screen are passed with the cursor, which costs less than writing them. */
function downBy(rows: number): string {
  return rows === 0 ? '' : `\u001b[${rows}B`
}

/**
 * Returns the bytes that write finished rows in the place of live ones, and the live ones once below them. Rows that stand there already
 * stay. Lines are not inserted: in a window that has just become smaller, finished rows would come to stand among live ones, and be erased
 * with them.
 */
export function writeAbove(
  finished: readonly string[],
  before: readonly string[],
  after: readonly string[],
): string {
  const all = [...finished, ...after]
  const first = all.findIndex((row, i) => row !== before[i] || !isEven(plainRow(row)))
  const stay = first === -1 ? all.length : first
  const up = before.length - stay
  const written = all.slice(stay).map((row, i) => rewritten(i === 0 ? before[stay] : undefined, row))
  const above = written.splice(0, Math.max(0, finished.length - stay))
  const parts = [up > 0 ? `\u001b[${up}A` : '', ...above, wrapOff, ...written, wrapOn, '\u001b[J']
  return parts.join('')
}

/** Columns that a row must share with the one in its place, so that only its rest is written. */
const leastShared = 12
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are control sequences
const pieces = /\u001b\[([\d;]*)m|[^\u001b]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const cutStyle = /\u001b\[?[\d;]*$/

/** Returns the bytes that write a row and end it. The cursor is at the start of the row, on which `before` stands. */
function rewritten(before: string | undefined, row: string): string {
  const shared = before === undefined ? '' : sharedStart(before, row)
  const columns = shared === '' ? 0 : columnsOf(plainRow(shared))
  if (columns >= leastShared) return `\u001b[${columns}C\u001b[K${passingGaps(row.slice(shared.length))}\n`
  return `\u001b[K${isEven(plainRow(row)) ? passingGaps(row) : inColumns(row)}\n`
}

/** Spaces that are passed with the cursor: less than so many cost no more. */
const longGap = / {9,}/g
/** The ends of styles that are seen on spaces, too. */
const onSpaces = ['24', '27', '29', '49']

/** Replaces the long gaps of a row that was erased, such as the one between the two sides of the status. */
function passingGaps(row: string): string {
  if (!row.includes(' '.repeat(9))) return row
  const open = new Set<string>()
  let passed = ''
  for (const [piece, codes] of row.matchAll(pieces)) {
    if (codes !== undefined) note(codes, open)
    const isBare = codes === undefined && !onSpaces.some((end) => open.has(end))
    passed += isBare ? piece.replace(longGap, ({ length }) => `\u001b[${length}C`) : piece
  }
  return passed
}

/** Returns what two rows begin with, up to where no style is open; '' if a terminal may measure the second otherwise. */
function sharedStart(before: string, row: string): string {
  let most = 0
  while (most < row.length && row[most] === before[most]) most++
  // A character behind may still join the last one.
  if (most < row.length) most--
  if (most < leastShared) return ''
  let end = 0
  let at = 0
  const open = new Set<string>()
  for (const [piece, codes] of row.slice(0, most).replace(cutStyle, '').matchAll(pieces)) {
    if (codes === undefined && open.size === 0) end = at + piece.length
    at += piece.length
    if (codes === undefined) continue
    note(codes, open)
    if (open.size === 0) end = at
  }
  const shared = row.slice(0, end)
  return isPlain(plainRow(shared)) && isEven(plainRow(row)) ? shared : ''
}

/** What ends each style. */
const ends: Readonly<Record<string, string>> = { 1: '22', 2: '22', 3: '23', 4: '24', 7: '27', 9: '29' }

function note(codes: string, open: Set<string>): void {
  if (codes === '' || codes === '0') open.clear()
  else if (/^(22|23|24|27|29|39|49)$/.test(codes)) open.delete(codes)
  else open.add(ends[codes] ?? (/^(4\d|10\d)/.test(codes) ? '49' : '39'))
}
