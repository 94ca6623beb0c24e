import type { ColouredLine } from '../../../frontend/code/coloured-line.ts'
import { createTokenizer } from '../../../frontend/code/tokenizer.ts'
import { type ColouredRow, colourRows } from '../../../frontend/diff/coloured-rows.ts'
import type { DiffRow } from '../../../frontend/diff/diff-rows.ts'

/** Finds the colours of code and diffs. Loaded when there is some to show. */
export interface Colouring {
  /** `undefined` for a language that is not known, and for too much code. */
  lines(code: string, language: string): readonly ColouredLine[] | undefined
  rows(rows: readonly DiffRow[], language: string): ReadonlyMap<DiffRow, ColouredRow>
}

/** Creates the colouring of the common languages. */
export function createColouring(): Colouring {
  const tokenize = createTokenizer()
  return { lines: tokenize, rows: (rows, language) => colourRows(rows, language, tokenize) }
}
