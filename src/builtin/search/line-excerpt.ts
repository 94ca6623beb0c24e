import { cutStart, cutText } from '../../characters/cut.ts'
import { limits } from '../tool-limits.ts'

/** Characters shown before the match in a long line. */
const lead = 200

/**
 * Shows a line whole, or the part around its match with `…` where text is left out. For a long line, one character more of `before`
 * (the text before the match) and `rest` than may be shown is enough.
 */
export function lineExcerpt(before: string, rest: string): string {
  if (before.length + rest.length <= limits.searchLine) return before + rest
  const shown = cutStart(before, lead)
  const text = cutText(shown + rest, limits.searchLine)
  const start = shown === before ? '' : '…'
  const end = text.length === shown.length + rest.length ? '' : '…'
  return `${start}${text}${end}`
}

/** The part of a line used for its excerpt. */
export interface LineWindow {
  /** Line number, counted from 1. */
  readonly number: number
  /** Byte offsets in the line: the start of the match, then the start and end of the part. */
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Bytes kept on either side of a match: enough for the characters shown. */
const shownBytes = limits.searchLine * 4

export function excerptWindow(at: number): Pick<LineWindow, 'from' | 'to'> {
  return { from: Math.max(0, at - shownBytes), to: at + shownBytes }
}

/** Builds the excerpt from the bytes of a line's part. */
export function excerptOf({ at, from }: Pick<LineWindow, 'at' | 'from'>, bytes: Buffer): string {
  const before = bytes.toString('utf8', 0, at - from)
  return lineExcerpt(before, bytes.toString('utf8', at - from).replace(/\r$/, ''))
}
