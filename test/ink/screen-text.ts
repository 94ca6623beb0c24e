import type { Line } from '../../src/ink/line.ts'

/** Rows as a person reads them, without their looks. */
export function plain(rows: readonly Line[]): string[] {
  return rows.map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )
}
