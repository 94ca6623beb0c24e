/** What a search comes upon: lines to show, or, where it only counts, files. */
export type Finding = FoundLine | FoundFile | ChangedFile

export type SearchOutput = 'lines' | 'files' | 'count'

/** A match, or context of one. */
export interface FoundLine {
  readonly type: 'line'
  /** Absolute. */
  readonly path: string
  /** Counted from 1. */
  readonly number: number
  /** As it is shown: see `excerpt`. */
  readonly text: string
  readonly isMatch: boolean
}

export interface FoundFile {
  readonly type: 'file'
  /** Absolute. */
  readonly path: string
  /** Lines that match; with `multiline`, matches. */
  readonly matches: number
}

/** A file that does not contain the lines found at its path; they are not reported. */
export interface ChangedFile {
  readonly type: 'changed'
  readonly path: string
}

export interface SearchRequest {
  readonly pattern: string
  /** The path that was judged: absolute, without symlinks. */
  readonly root: string
  readonly isFolder: boolean
  /** Of the files in a folder only these, as `walk` has it. */
  readonly glob?: string
  /** Of the files in a folder only those of this language. */
  readonly type?: string
  readonly ignoreCase: boolean
  /** A match may go over several lines. */
  readonly multiline: boolean
  /** Lines around each match. */
  readonly context: number
  readonly output: SearchOutput
  readonly signal: AbortSignal
}
