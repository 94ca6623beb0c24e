/** A line of a file that grep shows: a match, or context of one. */
export interface FoundLine {
  /** Absolute. */
  readonly path: string
  /** Counted from 1. */
  readonly number: number
  readonly text: string
  readonly isMatch: boolean
}

export interface SearchRequest {
  readonly pattern: string
  /** Absolute; a file or a folder. */
  readonly root: string
  readonly glob?: string | undefined
  readonly ignoreCase: boolean
  /** Lines around each match. */
  readonly context: number
  readonly signal: AbortSignal
}
