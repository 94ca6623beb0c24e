import { columnsOf } from './columns.ts'
import { type Line, lineText, wrap } from './line.ts'

/** Spaces between two columns, or in front of an indented row. */
const gaps = / {2,}(?=\S)/g

/**
 * Wraps a row of a table, or a text without columns. Rows after the first stand below the last column if its words fit there, else a step
 * further in than the first row; at least `hang` columns in.
 */
export function wrapTableRow(row: Line, width: number, hang: number): Line[] {
  return wrap(row, width, Math.max(hang, hangOf(lineText(row), width)))
}

function hangOf(text: string, width: number): number {
  const ends = Array.from(text.matchAll(gaps), ({ index, 0: gap }) => index + gap.length)
  const own = text.length - text.trimStart().length
  const last = ends.at(-1) ?? 0
  if (last === own) return own
  const column = columnsOf(text.slice(0, last))
  const words = text.slice(last).split(' ')
  const fits = column < width / 2 && words.every((word) => columnsOf(word) <= width - column)
  return fits ? column : own + 2
}
