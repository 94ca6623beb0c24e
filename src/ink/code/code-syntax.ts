import type { DiffRow } from '../../frontend/diff/diff-rows.ts'
import type { Line, Part } from '../rows/line.ts'

/** A line of highlighted code. */
export interface CodeLine {
  readonly spans: Line
  /** Whether a string or a comment of several lines is open at its end. */
  readonly isOpen: boolean
}

/** Highlights code and diffs. Loaded when the first code is to be shown, as that takes longer than a frame. */
export interface Syntax {
  /** Highlights the lines of a text. `undefined` for a language that is not known by this name or file name extension. */
  readonly lines: (code: string, language: string) => readonly CodeLine[] | undefined
  /** Highlights the rows of a diff, and finds the changed words of changed lines. */
  readonly rows: (
    rows: readonly DiffRow[],
    language: string,
  ) => ReadonlyMap<DiffRow, { readonly spans: Line; readonly changed: readonly Part[] }>
}
