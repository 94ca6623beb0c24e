import type { CodePart, Tokenize } from '../code/coloured-line.ts'
import { type ChangedPart, changedWords } from './changed-words.ts'
import { pairRows } from './diff-pairs.ts'
import type { DiffRow } from './diff-rows.ts'

/** The look of a row of a diff. */
export interface ColouredRow {
  readonly parts: readonly CodePart[]
  /** The changed words of a changed line, in order. */
  readonly changed: readonly ChangedPart[]
}

/** Colours the rows of a diff: the language of its file, and in changed lines the changed words. Leaves out plain rows. */
export function colourRows(
  rows: readonly DiffRow[],
  language: string,
  tokenize: Tokenize,
): ReadonlyMap<DiffRow, ColouredRow> {
  const looks = new Map<DiffRow, ColouredRow>()
  for (const hunk of hunksOf(rows)) {
    for (const mark of ['-', '+'] as const) {
      const side = hunk.filter((row) => row.mark === mark || row.mark === ' ')
      const lines = tokenize(side.map(({ text }) => text).join('\n'), language)
      for (const [i, { parts }] of lines?.entries() ?? []) {
        const row = side[i]
        if (row !== undefined) looks.set(row, { parts, changed: [] })
      }
    }
  }
  for (const [row, other] of pairRows(rows)) {
    // The pairs come in both directions.
    if (row.mark !== '-') continue
    const { before, after } = changedWords(row.text, other.text)
    for (const [one, changed] of [
      [row, before],
      [other, after],
    ] as const)
      looks.set(one, { parts: looks.get(one)?.parts ?? [{ text: one.text }], changed })
  }
  return looks
}

function hunksOf(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const hunks: DiffRow[][] = [[]]
  for (const row of rows) {
    if (row.mark === '⋮') hunks.push([])
    else hunks.at(-1)?.push(row)
  }
  return hunks
}
