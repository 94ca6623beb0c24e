import stringWidth from 'string-width'
import { columnsByCodePoint, mostColumns } from './code-points.ts'

const ascii = /^[\x20-\x7e]*$/
/**
 * Characters that never combine and have a fixed width by range: letters of European, Arabic and Hebrew
 * scripts, punctuation, arrows, lines and marks 1 column; kana, Han, Hangul and full-width forms 2.
 */
const plain =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0384-\u038a\u038e-\u03a1\u03a3-\u0482\u048a-\u052f\u0531-\u0556\u0561-\u0587\u05d0-\u05ea\u0621-\u064a\u0e01-\u0e2f\u2010-\u2027\u2030-\u203a\u2190-\u21ff\u2500-\u25fc\u26a0\u2713\u2717\u276f\u2800-\u28ff\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/
const firstWide = 0x3000
const emoji = /^\p{Emoji_Presentation}$/u

/** Code units that are segmented to find one character: first a few, then as many as a character may have. */
const windowLengths = [32, 256] as const

const segmenter = new Intl.Segmenter()

/**
 * Returns the most columns that a text takes on a terminal. Some terminals measure whole characters, most add up code points, and
 * they differ: `क्षि` takes 2 columns or 3, a thumb with a skin tone 2 or 4. A row within the larger count wraps nowhere.
 */
export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length
  if (plain.test(text)) return columnsOfPlain(text)
  return measure(text, 0, Number.POSITIVE_INFINITY).columns
}

function columnsOfPlain(text: string): number {
  let columns = 0
  for (let i = 0; i < text.length; i++) columns += text.charCodeAt(i) < firstWide ? 1 : 2
  return columns
}

/** Whether each character of a text has a width that no terminal, neighbour or style changes. */
export function isPlain(text: string): boolean {
  return plain.test(text)
}

/** Whether all terminals show a text in the same number of columns. */
export function isEven(text: string): boolean {
  if (plain.test(text)) return true
  return graphemes(text).every((one) => plain.test(one) || stringWidth(one) === columnsByCodePoint(one))
}

/** Measures the characters from `start` on that fit into `most` columns: where they end, and their width. */
function measure(
  text: string,
  start: number,
  most: number,
): { readonly end: number; readonly columns: number } {
  let columns = 0
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const length = isEmojiLead(code) ? 2 : 1
    let next = at + length
    if (length === 1) while (isAccent(text.charCodeAt(next))) next++
    const isWhole = next >= text.length || isStart(text.charCodeAt(next))
    let width = !isWhole ? 0 : length === 1 ? plainWidth(code) : emoji.test(text.slice(at, at + 2)) ? 2 : 0
    if (width === 0) {
      const character = characterAt(text, at)
      width = mostColumns(character)
      next = at + character.length
    }
    if (columns + width > most) break
    columns += width
    at = next
  }
  return { end: at, columns }
}

/** Whether a code unit is an accent on the letter before it. */
function isAccent(code: number): boolean {
  return code >= 0x0300 && code <= 0x036f
}

/** Whether a code unit begins a character whatever comes before it. */
function isStart(code: number): boolean {
  return isEmojiLead(code) || plainWidth(code) > 0
}

/** Whether a code unit is the first of a pair, most of which are emoji and none combines with what precedes it. */
function isEmojiLead(code: number): boolean {
  return code === 0xd83d || code === 0xd83e
}

/** Returns the width of a character matched by `plain`, and 0 for any other. */
function plainWidth(code: number): number {
  if (code < 0x7f) return code < 0x20 ? 0 : 1
  return plain.test(String.fromCharCode(code)) ? (code < firstWide ? 1 : 2) : 0
}

/** Returns the grapheme cluster that begins at an index. */
function characterAt(text: string, at: number): string {
  let found = ''
  for (const length of windowLengths) {
    for (const { segment } of segmenter.segment(text.slice(at, at + length))) {
      found = segment
      break
    }
    // The end of the window may have split it.
    if (found.length < length - 1) break
  }
  return found
}

/** Splits text into grapheme clusters. */
export function graphemes(text: string): readonly string[] {
  if (plain.test(text)) return text.split('')
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Returns the index after the last character that fits into `columns` from `start` on. Reads little more than that. */
export function fitting(text: string, start: number, columns: number): number {
  const slice = text.slice(start, start + columns + 1)
  if (ascii.test(slice)) return Math.min(text.length, start + columns)
  return plain.test(slice) ? start + fittingPlain(slice, columns) : measure(text, start, columns).end
}

function fittingPlain(text: string, columns: number): number {
  let used = 0
  for (let at = 0; at < text.length; at++) {
    used += text.charCodeAt(at) < firstWide ? 1 : 2
    if (used > columns) return at
  }
  return text.length
}

/**
 * Returns the index after the last character of a row that begins at `start`. Breaks after a space, and inside a word only if the
 * word is longer than the row. A row has at least one character.
 */
export function rowEnd(text: string, start: number, columns: number): number {
  const end = fitting(text, start, columns)
  if (end === start) return start + Math.max(1, characterAt(text, start).length)
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
