import type { Line } from '../rows/line.ts'

/**
 * A text that a view shows, by places: each is where a line begins. `width` is in columns; the places of a source whose lines are drawn
 * differ by width. The cost of a call does not grow with the text, except for `find`.
 */
export interface Source {
  /** Returns the place behind the last line: the same unit as the places, so that a place has a share of it. */
  end(width: number): number
  /** Draws the line at a place: at least one row. */
  rows(at: number, width: number): readonly Line[]
  /** Returns the place of the next line, or `end`. */
  next(at: number, width: number): number
  /** Returns the place of the line before; 0 for the first. */
  previous(at: number, width: number): number
  /** Finds the nearest line with the words, from a place on or before it. Yields from time to time, so that its caller can pause. */
  find(search: ViewSearch, width: number): Generator<undefined, number | undefined, undefined>
  /** Counts lines from 1. `undefined` if that takes too long. */
  count(at: number, width: number): Counted | undefined
  /** Places where parts begin, such as the files of a diff, in order. */
  parts?(width: number): readonly number[]
}

export interface ViewSearch {
  readonly words: string
  readonly from: number
  /** Searches the lines before `from`, the nearest first. Otherwise the one at `from` and those behind it. */
  readonly isBackward: boolean
}

export interface Counted {
  readonly number: number
  readonly total: number
}

/** Returns a test for words in a text. Capital letters count only if the words have some. */
export function matcher(words: string): (text: string) => boolean {
  const isExact = words !== words.toLowerCase()
  return (text) => (isExact ? text : text.toLowerCase()).includes(words)
}
