/** Makes the line breaks of a pattern match CRLF too, except in character classes. */
export function withAnyLineEnd(pattern: string): string {
  // ripgrep's look-behind needs a fixed length.
  if (/\(\?<[=!]/.test(pattern)) return pattern
  let depth = 0
  return pattern.replace(/\\.|\[\^?\]?|\]|\n/gs, (piece) => {
    if (piece.startsWith('[')) depth++
    if (piece === ']' && depth > 0) depth--
    return depth === 0 && (piece === '\\n' || piece === '\n') ? '(?:\\r?\\n)' : piece
  })
}
