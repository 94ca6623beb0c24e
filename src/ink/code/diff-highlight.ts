import type { DiffRow } from '../../frontend/diff/diff-rows.ts'
import { type Line, marked, type Style, span } from '../rows/line.ts'
import type { Syntax } from './code-syntax.ts'

const words: Readonly<Record<DiffRow['mark'], Style>> = {
  '+': { tint: 'added_word' },
  '-': { tint: 'removed_word' },
  ' ': {},
  '⋮': {},
}

/** Colours the rows of a diff: the language of its file, and in changed lines the changed words. */
export function highlightRows(
  rows: readonly DiffRow[],
  language: string,
  syntax: Syntax | undefined,
): ReadonlyMap<DiffRow, Line> {
  if (syntax === undefined) return new Map()
  // Changed words are counted in the text as `span` shows it.
  const plain = rows.map((row) => ({ ...row, text: span(row.text).text }))
  const looks = syntax.rows(plain, language)
  return new Map(
    rows.flatMap((row, i) => {
      const look = plain[i] && looks.get(plain[i])
      return look === undefined ? [] : [[row, marked(look.spans, look.changed, words[row.mark])] as const]
    }),
  )
}
