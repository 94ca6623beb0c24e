import { type Line, lineText, type Span, span } from '../rows/line.ts'
import { matcher } from './source.ts'

/** Shows the words that were searched for inverted, where they lie within one row. */
export function markFound(row: Line, words: string): Line {
  const text = lineText(row)
  if (words === '' || !matcher(words)(text)) return row
  const within = words === words.toLowerCase() ? text.toLowerCase() : text
  // Some letters change their length with their case, and the index with it.
  if (within.length !== text.length) return row
  const marked: Span[] = []
  let start = 0
  for (const one of row) {
    const end = start + one.text.length
    for (let at = start; at < end; ) {
      const [until, isFound] = stretch(within, words, at)
      const part = text.slice(at, Math.min(until, end))
      marked.push(isFound ? span(part, { ...one.style, inverse: true }) : { ...one, text: part })
      at += part.length
    }
    start = end
  }
  return marked
}

/** Returns where the stretch at an index ends, and whether it is one of the words found. */
function stretch(text: string, words: string, at: number): readonly [end: number, isFound: boolean] {
  const found = text.indexOf(words, Math.max(0, at - words.length + 1))
  if (found < 0) return [text.length, false]
  return found <= at ? [found + words.length, true] : [found, false]
}
