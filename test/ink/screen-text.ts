import type { Line } from '../../src/ink/rows/line.ts'

/** Returns the text of rows without styles and trailing spaces. */
export function plain(rows: readonly Line[]): string[] {
  return rows.map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )
}
