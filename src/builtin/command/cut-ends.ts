import { cutStart, cutText } from '../../characters/cut.ts'
import { limits } from '../tool-limits.ts'

/** The share of the beginning. The rest is for the end, where errors are. */
const headShare = 0.2

interface CutText {
  readonly text: string
  readonly isCut: boolean
}

type Ends = { readonly whole: string } | { readonly head: string; readonly tail: string }

/**
 * Cuts a text to the size of a result: returns it whole, or its first and last lines with `mark(shownLines)` in between. If the
 * middle is already gone, pass only the ends.
 */
export function cutEnds(ends: Ends, mark: (shownLines: number) => string): CutText {
  if ('whole' in ends && fits(ends.whole)) return { text: ends.whole, isCut: false }
  const { head, tail } = 'whole' in ends ? { head: ends.whole, tail: ends.whole } : ends
  const first = take(head.split('\n'), headShare, cutText)
  const last = take(tail.split('\n').reverse(), 1 - headShare, cutStart).reverse()
  return { text: [...first, mark(first.length + last.length), ...last].join('\n'), isCut: true }
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= limits.bytes && text.split('\n').length <= limits.lines
}

/** The lines that fit into a share of the limits. If the first alone is too long, a piece of it. */
function take(
  lines: readonly string[],
  share: number,
  cut: (line: string, length: number) => string,
): string[] {
  const bytes = limits.bytes * share
  const taken: string[] = []
  let size = 0
  for (const line of lines.slice(0, limits.lines * share)) {
    size += Buffer.byteLength(line) + 1
    if (size > bytes) break
    taken.push(line)
  }
  const [first] = lines
  // A UTF-16 unit takes at most three bytes.
  return taken.length === 0 && first !== undefined ? [cut(first, Math.floor(bytes / 3))] : taken
}
