import { isEven } from '../rows/columns.ts'
import { plainRow } from '../rows/in-columns.ts'
import { rewriteRow } from './rewrite-row.ts'

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
    parts.push(downBy(skipped), rewriteRow(before[i], row))
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
  const written = all.slice(stay).map((row, i) => rewriteRow(i === 0 ? before[stay] : undefined, row))
  const above = written.splice(0, Math.max(0, finished.length - stay))
  const parts = [up > 0 ? `\u001b[${up}A` : '', ...above, wrapOff, ...written, wrapOn, '\u001b[J']
  return parts.join('')
}
