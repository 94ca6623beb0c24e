import stringWidth from 'string-width'

const ascii = /^[\x20-\x7e]*$/
/** Characters that never combine and have a fixed width by range: Latin and Cyrillic 1 column; kana, Han and Hangul 2. */
const plain =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/
const firstWide = 0x3041

/** Code units that are segmented at once, which bounds the cost of a call. */
const windowLength = 256

const segmenter = new Intl.Segmenter()

/** Returns the width of a text in terminal columns. */
export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length
  if (!plain.test(text)) return stringWidth(text)
  let columns = 0
  for (let i = 0; i < text.length; i++) columns += text.charCodeAt(i) < firstWide ? 1 : 2
  return columns
}

/** Splits text into grapheme clusters. */
export function graphemes(text: string): readonly string[] {
  if (plain.test(text)) return text.split('')
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Returns the index after the last character that fits into `columns` from `start` on. Reads little more than that. */
export function fitting(text: string, start: number, columns: number): number {
  if (ascii.test(text.slice(start, start + columns + 1))) return Math.min(text.length, start + columns)
  let end = start
  let used = 0
  for (const character of characters(text, start)) {
    used += columnsOf(character)
    if (used > columns) break
    end += character.length
  }
  return end
}

/**
 * Returns the index after the last character of a row that begins at `start`. Breaks after a space, and inside a word only if the
 * word is longer than the row. A row has at least one character.
 */
export function rowEnd(text: string, start: number, columns: number): number {
  const end = fitting(text, start, columns)
  if (end === start) return start + (characters(text, start).next().value?.length ?? 1)
  if (end >= text.length || text[end] === ' ') return end
  const space = text.slice(start, end).lastIndexOf(' ')
  return space > 0 ? start + space + 1 : end
}

/** Returns the index of the first character at or after `index` that is not a space. */
export function skipSpaces(text: string, index: number): number {
  let at = index
  while (text[at] === ' ') at++
  return at
}

/** Yields the characters from `start` on, segmented window by window so that stopping early is cheap. */
function* characters(text: string, start: number): Generator<string, undefined> {
  for (let at = start; at < text.length; ) {
    const isLast = at + windowLength >= text.length
    const found = graphemes(text.slice(at, at + windowLength))
    // The end of the window may have split the last character.
    const whole = isLast || found.length === 1 ? found : found.slice(0, -1)
    for (const one of whole) {
      yield one
      at += one.length
    }
  }
}
