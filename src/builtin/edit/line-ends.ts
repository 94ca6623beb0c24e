import type { FoldedText } from './folded-text.ts'
import { type LineChange, lineChanges } from './line-diff.ts'

/** `[start, end)` of a text becomes `text`. */
export interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Whether all lines of a text end in CRLF. */
export function isCrlf(text: string): boolean {
  return text.includes('\n') && !/(?<!\r)\n/.test(text)
}

/** Whether all lines of a text end in CR, as they did on the Macintosh. */
export function isCr(text: string): boolean {
  return text.includes('\r') && !text.includes('\n')
}

/**
 * Gives what is put into a text its line ends; the changes are of `file`, the text with LF. A text that has one line end gets that.
 * Where it has both, lines that stay keep theirs, and a new line gets that of the line it follows.
 */
export function lineEnder(text: string, file: FoldedText): (change: Change) => string {
  if (text.length === file.text.length) return ({ text: put }) => put
  if (isCrlf(text)) return ({ text: put }) => put.replaceAll('\n', '\r\n')
  const endAt = (newline: number) => {
    if (newline === -1) return undefined
    return text[file.origin(newline)] === '\r' ? '\r\n' : '\n'
  }
  return ({ start, end, text: put }) => {
    if (!put.includes('\n')) return put
    const old = file.text.slice(start, end)
    const newlines = Array.from(old.matchAll(/\n/g), ({ index }) => start + index)
    const ends = [...newlines, file.text.indexOf('\n', end)].map(endAt)
    // What else is in the first and the last line tells a line that is changed from one that is put in.
    const [left, right] = [file.text.charAt(start - 1), file.text.charAt(end)].map((c) => c.replace('\n', ''))
    const linesOf = (middle: string) => `${left}${middle}${right}`.split('\n')
    const lines = linesOf(put)
    let last = (start === 0 ? undefined : endAt(file.text.lastIndexOf('\n', start - 1))) ?? ends[0] ?? '\n'
    const from = counterparts(linesOf(old), lines)
    return put
      .split('\n')
      .map((line, i) => {
        if (i === lines.length - 1) return line
        last = ends[from[i] ?? -1] ?? last
        return line + last
      })
      .join('')
  }
}

/** For each new line the old one that it is, or stands for; `undefined` for one more. */
function counterparts(old: readonly string[], lines: readonly string[]): (number | undefined)[] {
  const found: (number | undefined)[] = []
  let from = 0
  for (const change of lineChanges(old, lines)) {
    while (from < change.oldStart) found.push(from++)
    found.push(...Array.from({ length: change.newEnd - change.newStart }, (_, i) => counterpart(change, i)))
    from = change.oldEnd
  }
  while (from < old.length) found.push(from++)
  return found
}

/** The first and the last line stand for the first and the last, lines between for those between, as far as there are any. */
function counterpart({ oldStart, oldEnd, newStart, newEnd }: LineChange, i: number): number | undefined {
  const [oldCount, newCount] = [oldEnd - oldStart, newEnd - newStart]
  if (oldCount === 0) return undefined
  if (i > 0 && i === newCount - 1) return oldEnd - 1
  return i < Math.max(1, oldCount - 1) ? oldStart + i : undefined
}
