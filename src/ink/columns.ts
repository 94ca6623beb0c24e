import stringWidth from 'string-width'

const ascii = /^[\x20-\x7e]*$/
/** Characters that stand alone and whose width their range tells: Latin and Cyrillic take one column, kana, Han and Hangul two. */
const plain =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/
const firstWide = 0x3041

/** Code units that are looked at together, which bounds the cost of a look. */
const windowLength = 256

const segmenter = new Intl.Segmenter()

/** Columns that a text takes, as the terminal counts them. */
export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length
  if (!plain.test(text)) return stringWidth(text)
  let columns = 0
  for (let i = 0; i < text.length; i++) columns += text.charCodeAt(i) < firstWide ? 1 : 2
  return columns
}

/** Splits text into the characters that a person sees. */
export function graphemes(text: string): readonly string[] {
  if (plain.test(text)) return text.split('')
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** The index after the last character that fits into so many columns, from `start` on. Reads little more than what fits. */
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
 * The index after the last character of a row that begins at `start`: after a space, and inside a word only where the word is longer
 * than the row. At least one character is taken.
 */
export function rowEnd(text: string, start: number, columns: number): number {
  const end = fitting(text, start, columns)
  if (end === start) return start + (characters(text, start).next().value?.length ?? 1)
  if (end >= text.length || text[end] === ' ') return end
  const space = text.slice(start, end).lastIndexOf(' ')
  return space > 0 ? start + space + 1 : end
}

/** The index of the first character after the spaces that end a row. */
export function skipSpaces(text: string, index: number): number {
  let at = index
  while (text[at] === ' ') at++
  return at
}

/** The characters from `start` on, found window by window, so that whoever stops early has paid for little. */
function* characters(text: string, start: number): Generator<string, undefined> {
  for (let at = start; at < text.length; ) {
    const isLast = at + windowLength >= text.length
    const found = graphemes(text.slice(at, at + windowLength))
    // The end of the window may have cut the last one short.
    const whole = isLast || found.length === 1 ? found : found.slice(0, -1)
    for (const one of whole) {
      yield one
      at += one.length
    }
  }
}
