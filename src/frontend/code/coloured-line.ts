/** Names the role of a part of code, and so its colour. `good` and `bad` are the added and removed lines of a diff. */
export type CodeKind = 'keyword' | 'string' | 'number' | 'comment' | 'title' | 'type' | 'good' | 'bad'

export interface CodePart {
  readonly text: string
  /** Absent for plain code. */
  readonly kind?: CodeKind
}

/** A line of code in its parts. */
export interface ColouredLine {
  readonly parts: readonly CodePart[]
  /** Whether a string or a comment of several lines is open at its end. */
  readonly isOpen: boolean
}

/** Divides the lines of a text. `undefined` for a language that is not known by this name or file name extension, and for too much code. */
export type Tokenize = (code: string, language: string) => readonly ColouredLine[] | undefined

/** Returns the language of a file by its name: the extension, or the whole name of a file without one. */
export function languageOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  return name.slice(name.lastIndexOf('.') + 1)
}
