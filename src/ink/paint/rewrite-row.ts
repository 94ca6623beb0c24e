import { columnsOf, isEven, isPlain } from '../rows/columns.ts'
import { inColumns, plainRow } from '../rows/in-columns.ts'

/** Columns that a row must share with the one in its place, so that only its rest is written. */
const leastShared = 12
/** Spaces that are passed with the cursor. Fewer of them cost no more than the sequence that does that. */
const longGap = / {9,}/g
/** The ends of styles that are seen on spaces, too. */
const onSpaces = ['24', '27', '29', '49']

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are control sequences
const pieces = /\u001b\[([\d;]*)m|[^\u001b]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const cutStyle = /\u001b\[?[\d;]*$/

/**
 * Returns the bytes that write a row over another one, and end it. The cursor is at the start of the row. What both begin with stays
 * where no terminal can measure it otherwise.
 */
export function rewriteRow(before: string | undefined, row: string): string {
  if (!isEven(plainRow(row))) return `\u001b[K${inColumns(row)}\n`
  const shared = before === undefined ? '' : sharedStart(before, row)
  const columns = columnsOf(plainRow(shared))
  return columns < leastShared
    ? `\u001b[K${passGaps(row)}\n`
    : `\u001b[${columns}C\u001b[K${passGaps(row.slice(shared.length))}\n`
}

/** Returns what two rows begin with, up to where no style is open; '' if its width is not certain. */
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
    at += piece.length
    if (codes !== undefined) note(codes, open)
    if (open.size === 0) end = at
  }
  const shared = row.slice(0, end)
  return isPlain(plainRow(shared)) ? shared : ''
}

/** Passes the long gaps of a row that was erased, such as the one between the two sides of the status, with the cursor. */
function passGaps(row: string): string {
  if (row.search(longGap) === -1) return row
  const open = new Set<string>()
  let passed = ''
  for (const [piece, codes] of row.matchAll(pieces)) {
    if (codes !== undefined) note(codes, open)
    const isBare = codes === undefined && !onSpaces.some((end) => open.has(end))
    passed += isBare ? piece.replace(longGap, ({ length }) => `\u001b[${length}C`) : piece
  }
  return passed
}

/** Maps the code that starts a style to the one that ends it. Colours are not listed. */
const ends: Readonly<Record<string, string>> = { 1: '22', 2: '22', 3: '23', 4: '24', 7: '27', 9: '29' }

/** Notes which styles are open, by the codes that end them. */
function note(codes: string, open: Set<string>): void {
  if (codes === '' || codes === '0') open.clear()
  else if (/^(22|23|24|27|29|39|49)$/.test(codes)) open.delete(codes)
  else open.add(ends[codes] ?? (/^(4\d|10\d)/.test(codes) ? '49' : '39'))
}
