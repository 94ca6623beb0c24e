import type { CodePart } from '../../frontend/code/coloured-line.ts'
import { createTokenizer } from '../../frontend/code/tokenizer.ts'
import { colourRows } from '../../frontend/diff/coloured-rows.ts'
import { type Line, span } from '../rows/line.ts'
import type { Syntax } from './code-syntax.ts'

/** Creates a highlighter of the common languages. */
export function createSyntax(): Syntax {
  const tokenize = createTokenizer()
  return {
    lines: (code, language) =>
      tokenize(code, language)?.map(({ parts, isOpen }) => ({ spans: spansOf(parts), isOpen })),
    rows: (rows, language) =>
      new Map(
        [...colourRows(rows, language, tokenize)].map(([row, { parts, changed }]) => [
          row,
          { spans: spansOf(parts), changed },
        ]),
      ),
  }
}

function spansOf(parts: readonly CodePart[]): Line {
  return parts.map(({ text, kind }) => (kind === undefined ? span(text) : span(text, { color: kind })))
}
