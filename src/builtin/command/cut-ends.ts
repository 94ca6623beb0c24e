import { cutStart, cutText } from '../../files/lines.ts'
import { limits } from '../limits.ts'

/** A fifth for the beginning: errors stand at the end. */
const headShare = 0.2

type Ends = { readonly whole: string } | { readonly head: string; readonly tail: string }

/**
 * A text as it fits into a result: whole, or its first and last lines with `mark` between, which is told how many lines are
 * shown. Where the middle is gone already, only the ends are given.
 */
export function cutEnds(ends: Ends, mark: (shownLines: number) => string): string {
  if ('whole' in ends && fits(ends.whole)) return ends.whole
  const { head, tail } = 'whole' in ends ? { head: ends.whole, tail: ends.whole } : ends
  const first = take(head.split('\n'), headShare, cutText)
  const last = take(tail.split('\n').reverse(), 1 - headShare, cutStart).reverse()
  return [...first, mark(first.length + last.length), ...last].join('\n')
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= limits.bytes && text.split('\n').length <= limits.lines
}

/** As many lines as the share of the limits has room for; a piece of the first one where that alone is too long. */
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
  // A character has up to three bytes.
  return taken.length === 0 && first !== undefined ? [cut(first, Math.floor(bytes / 3))] : taken
}
