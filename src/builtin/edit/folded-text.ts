/** A text in a simpler form in which it can be searched, and where the places of that form are in the text itself. */
export interface FoldedText {
  readonly text: string
  /** Of an offset in the simpler form. Between two pieces it is where the second begins. */
  origin(offset: number): number
}

/** From `at` on in the simpler form, places of the text itself are `shift` further. */
interface Shift {
  readonly at: number
  readonly shift: number
}

/** CRLF as LF. */
export function foldLineEnds(text: string): FoldedText {
  const shifts: Shift[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
    shifts.push({ at: at + 1 - shifts.length, shift: shifts.length + 1 })
  }
  return folded(text.replaceAll('\r\n', '\n'), shifts)
}

/** Without the white space at the ends of lines. */
export function foldLineTails(text: string): FoldedText {
  return foldPieces(text, /(?<![ \t])[ \t]+$/gm, () => '')
}

/** Without the white space at both ends of lines. */
export function foldMargins(text: string): FoldedText {
  return foldPieces(text, /^[ \t]+|(?<![ \t])[ \t]+$/gm, () => '')
}

/** Typographic quotes, dashes and spaces as those of ASCII, three dots as one character; letters and their marks composed (NFC). */
export function foldTypography(text: string): FoldedText {
  return foldPieces(text, /\.{3}|[\u00a0\u2000-\u205f\u2212\u3000]|\P{M}\p{M}+/gu, (piece) => {
    if (/^[\u2018-\u201b\u2032]$/.test(piece)) return "'"
    if (/^[\u201c-\u201f\u2033]$/.test(piece)) return '"'
    if (/^[\u2010-\u2015\u2212]$/.test(piece)) return '-'
    // The shorter form: no place of it lies within a character of the other.
    if (piece === '...') return '\u2026'
    return /^[\u00a0\u2000-\u200a\u202f\u205f\u3000]$/.test(piece) ? ' ' : piece.normalize('NFC')
  })
}

/** With something simpler for each piece that the pattern finds. */
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
