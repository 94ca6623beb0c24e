import type { Size } from '../state.ts'
import type { Source } from './source.ts'

/** A text on the whole screen, which covers the conversation until it is closed. */
export interface View {
  readonly type: 'output' | 'thoughts' | 'help' | 'context' | 'cost' | 'diff'
  readonly title: string
  /** Words at the right of the title. */
  readonly facts: string
  readonly source: Source
  readonly top: Top
  /** Keys of this view, besides those of every view, the most useful first. */
  readonly hints: readonly string[]
  /** The words being typed to search for. */
  readonly typed?: string | undefined
  /** The words searched for last; empty: none. */
  readonly words: string
  /** Says how a search ended, until the next key. */
  readonly note?: string | undefined
  /** Narrows the text to the lines about some words. Typed words then do so instead of searching. */
  readonly narrow?: (words: string) => Source
  /** The index of the shown call among the last ones. Of `output` only. */
  readonly call?: number
  /** Characters of the text when it was last drawn. Of `thoughts` only. */
  readonly length?: number
}

/** The first visible row: one of the line at a place. */
export interface Top {
  readonly at: number
  readonly row: number
}

export const begin: Top = { at: 0, row: 0 }

/** Creates a view that shows the beginning of its text. */
export function openView(view: Pick<View, 'type' | 'title' | 'source'> & Partial<View>): View {
  return { facts: '', hints: [], words: '', top: begin, ...view }
}

/** The part of the screen that shows the text: the rows between title and status. */
export interface ViewArea {
  readonly width: number
  readonly height: number
}

export function viewArea({ columns, rows }: Size): ViewArea {
  return { width: columns, height: Math.max(1, rows - 2) }
}
