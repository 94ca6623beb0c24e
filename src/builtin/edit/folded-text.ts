/** A simplified form of a text to search in, with a mapping back to the original. */
export interface FoldedText {
  readonly text: string
  /** Maps an offset in the simplified form to the original. At the border of two pieces, returns the start of the second. */
  origin(offset: number): number
}

/** From offset `at` of the simplified form on, original offsets are `shift` higher. */
interface Shift {
  readonly at: number
  readonly shift: number
}

/** Replaces CRLF with LF. */
export function foldLineEnds(text: string): FoldedText {
  const shifts: Shift[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
    shifts.push({ at: at + 1 - shifts.length, shift: shifts.length + 1 })
  }
  return folded(text.replaceAll('\r\n', '\n'), shifts)
}

/** Removes white space at the ends of lines. */
export function foldLineTails(text: string): FoldedText {
  return foldPieces(text, /(?<![ \t])[ \t]+$/gm, () => '')
}

/** Removes white space at both ends of lines. */
export function foldMargins(text: string): FoldedText {
  return foldPieces(text, /^[ \t]+|(?<![ \t])[ \t]+$/gm, () => '')
}

/** Replaces typographic quotes, dashes and spaces with ASCII, three dots with an ellipsis, and composes letters (NFC). */
export function foldTypography(text: string): FoldedText {
  return foldPieces(text, /\.{3}|[\u00a0\u2000-\u205f\u2212\u3000]|\P{M}\p{M}+/gu, (piece) => {
    if (/^[\u2018-\u201b\u2032]$/.test(piece)) return "'"
    if (/^[\u201c-\u201f\u2033]$/.test(piece)) return '"'
    if (/^[\u2010-\u2015\u2212]$/.test(piece)) return '-'
    // Folds to the shorter form, so that no offset falls inside a character of the other.
    if (piece === '...') return '\u2026'
    return /^[\u00a0\u2000-\u200a\u202f\u205f\u3000]$/.test(piece) ? ' ' : piece.normalize('NFC')
  })
}

/** Replaces each match of the pattern with a simpler piece. */
function foldPieces(text: string, pattern: RegExp, simpler: (piece: string) => string): FoldedText {
  const parts: string[] = []
  const shifts: Shift[] = []
  let [from, length] = [0, 0]
  for (const { 0: piece, index } of text.matchAll(pattern)) {
    const put = simpler(piece)
    parts.push(text.slice(from, index), put)
    length += index - from + put.length
    from = index + piece.length
    if (put.length !== piece.length) shifts.push({ at: length, shift: from - length })
  }
  return folded(parts.join('') + text.slice(from), shifts)
}

function folded(text: string, shifts: readonly Shift[]): FoldedText {
  return { text, origin: (offset) => offset + (lastUpTo(shifts, offset)?.shift ?? 0) }
}

function lastUpTo(shifts: readonly Shift[], offset: number): Shift | undefined {
  let [low, high] = [0, shifts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shifts[middle]?.at ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return shifts[low - 1]
}
