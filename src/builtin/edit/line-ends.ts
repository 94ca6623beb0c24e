import type { FoldedText } from './folded-text.ts'
import { type LineChange, lineChanges } from './line-diff.ts'

/** Replaces `[start, end)` of a text with `text`. */
export interface TextChange {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Whether all lines of a text end in CRLF. */
export function isCrlf(text: string): boolean {
  return text.includes('\n') && !/(?<!\r)\n/.test(text)
}

/** Whether all lines of a text end in CR, as on the classic Macintosh. */
export function isCr(text: string): boolean {
  return text.includes('\r') && !text.includes('\n')
}

/**
 * Returns a function that gives inserted text the line ends of the file. Changes are offsets in `file`, the text with LF. If the text
 * mixes both ends, kept lines keep theirs and new lines get that of the line before.
 */
export function lineEnder(text: string, file: FoldedText): (change: TextChange) => string {
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
    // The rest of the first and last lines helps to tell changed lines from inserted ones.
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

/** For each new line, the index of the old line that it equals or replaces. `undefined` for an added line. */
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

/** Pairs the first lines, the last lines and, as far as they go, the lines in between. */
function counterpart({ oldStart, oldEnd, newStart, newEnd }: LineChange, i: number): number | undefined {
  const [oldCount, newCount] = [oldEnd - oldStart, newEnd - newStart]
  if (oldCount === 0) return undefined
  if (i > 0 && i === newCount - 1) return oldEnd - 1
  return i < Math.max(1, oldCount - 1) ? oldStart + i : undefined
}
