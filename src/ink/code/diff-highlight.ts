import { pairRows } from '../../frontend/diff/diff-pairs.ts'
import type { DiffRow } from '../../frontend/diff/diff-rows.ts'
import { type Line, marked, type Style, span } from '../rows/line.ts'
import type { Syntax } from './code-syntax.ts'

const words: Readonly<Record<'+' | '-', Style>> = {
  '+': { tint: 'added_word' },
  '-': { tint: 'removed_word' },
}

/** Colours the rows of a diff: the language of its file, and in changed lines the changed words. */
export function highlightRows(
  rows: readonly DiffRow[],
  language: string,
  syntax: Syntax | undefined,
): ReadonlyMap<DiffRow, Line> {
  const looks = new Map<DiffRow, Line>()
  if (syntax === undefined) return looks
  for (const hunk of hunksOf(rows)) {
    for (const mark of ['-', '+'] as const) {
      const side = hunk.filter((row) => row.mark === mark || row.mark === ' ')
      const lines = syntax.lines(side.map(({ text }) => text).join('\n'), language)
      for (const [i, { spans }] of lines?.entries() ?? []) {
        const row = side[i]
        if (row !== undefined) looks.set(row, spans)
      }
    }
  }
  for (const [row, other] of pairRows(rows)) {
    // The pairs come in both directions.
    if (row.mark !== '-') continue
    const { before, after } = syntax.changes(plain(row), plain(other))
    looks.set(row, marked(looks.get(row) ?? [span(row.text)], before, words['-']))
    looks.set(other, marked(looks.get(other) ?? [span(other.text)], after, words['+']))
  }
  return looks
}

/** Returns the text of a row as `span` shows it. */
function plain({ text }: DiffRow): string {
  return span(text).text
}

function hunksOf(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const hunks: DiffRow[][] = [[]]
  for (const row of rows) {
    if (row.mark === '⋮') hunks.push([])
    else hunks.at(-1)?.push(row)
  }
  return hunks
}
