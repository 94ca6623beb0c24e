/** A search result: a line, or a file if the search only counts. */
export type SearchHit = FoundLine | FoundFile | StaleFile

export type SearchOutput = 'lines' | 'files' | 'count'

/** A matching line or a context line. */
export interface FoundLine {
  readonly type: 'line'
  /** Absolute. */
  readonly path: string
  /** Counted from 1. */
  readonly number: number
  /** The text to show: see `excerpt`. */
  readonly text: string
  readonly isMatch: boolean
}

export interface FoundFile {
  readonly type: 'file'
  /** Absolute. */
  readonly path: string
  /** Number of matching lines; with `multiline`, of matches. */
  readonly matches: number
}

/** A file that does not contain the lines found at its path; they are not reported. */
export interface StaleFile {
  readonly type: 'changed'
  readonly path: string
}

export interface SearchRequest {
  readonly pattern: string
  /** The path that was judged: absolute, without symlinks. */
  readonly root: string
  readonly isFolder: boolean
  /** Searches only matching files in a folder, with the syntax of `walk`. */
  readonly glob?: string | undefined
  /** Searches only files of this language in a folder. */
  readonly type?: string | undefined
  readonly ignoreCase: boolean
  /** Whether a match may span lines. */
  readonly multiline: boolean
  /** Lines around each match. */
  readonly context: number
  readonly output: SearchOutput
  readonly signal: AbortSignal
}
