import { columnsOf } from '../rows/columns.ts'
import type { Line } from '../rows/line.ts'

/** A place among drawn rows: the row, and the columns before it. */
export interface CursorPlace {
  readonly row: number
  readonly column: number
}

/** Returns where the user writes, if that is among these rows. */
export function cursorIn(rows: readonly Line[]): CursorPlace | undefined {
  for (const [row, spans] of rows.entries()) {
    const at = spans.findIndex(({ style }) => style?.isCursor === true)
    if (at >= 0)
      return { row, column: spans.slice(0, at).reduce((sum, { text }) => sum + columnsOf(text), 0) }
  }
  return undefined
}

/** Returns the bytes that move the cursor from its place among `count` rows to the start of the row below them, where it rests without one. */
export function leavePlace(place: CursorPlace | undefined, count: number): string {
  return place === undefined ? '' : `\u001b[${count - place.row}B\r`
}

/** Returns the bytes that move the cursor from the start of the row below `count` rows to a place among them. */
export function takePlace(place: CursorPlace | undefined, count: number): string {
  if (place === undefined) return ''
  return `\u001b[${count - place.row}A${place.column === 0 ? '' : `\u001b[${place.column}C`}`
}

/** Returns the bytes that show the cursor while it has a place, and hide it otherwise. */
export function showPlace(before: CursorPlace | undefined, after: CursorPlace | undefined): string {
  if ((before === undefined) === (after === undefined)) return ''
  return after === undefined ? '\u001b[?25l' : '\u001b[?25h'
}
