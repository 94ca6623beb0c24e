import type { Line, Part } from '../rows/line.ts'

/** A line of highlighted code. */
export interface CodeLine {
  readonly spans: Line
  /** Whether a string or a comment of several lines is open at its end. */
  readonly isOpen: boolean
}

/** Highlights code and compares lines. Loaded when the first code is to be shown, as that takes longer than a frame. */
export interface Syntax {
  /** Highlights the lines of a text. `undefined` for a language that is not known by this name or file name extension. */
  readonly lines: (code: string, language: string) => readonly CodeLine[] | undefined
  /** Finds the changed words of a line. Finds none if little of the line stayed. */
  readonly changes: (before: string, after: string) => LineChanges
}

/** The changed parts of a line, in its text before and after. */
export interface LineChanges {
  readonly before: readonly Part[]
  readonly after: readonly Part[]
}

/** Returns the language of a file by its name: the extension, or the whole name of a file without one. */
export function languageOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  return name.slice(name.lastIndexOf('.') + 1)
}
