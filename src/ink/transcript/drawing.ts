import type { Syntax } from '../code/code-syntax.ts'

/** Says how to draw entries of the transcript, besides their width. */
export interface Drawing {
  /** Absent until the highlighter has been loaded: code has no colours then. */
  readonly syntax?: Syntax | undefined
  /** Label of the key that shows the output of a call; empty if there is none. */
  readonly outputKey: string
}

/** Draws without colours for code, and with the keys that pipe comes with. */
export const plainDrawing: Drawing = { outputKey: '^O' }
