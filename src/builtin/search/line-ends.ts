/** A pattern whose line ends stand for those of Windows as well; what is in a class stays as it is. */
export function withAnyLineEnd(pattern: string): string {
  // What looks behind has to be of one length for ripgrep.
  if (/\(\?<[=!]/.test(pattern)) return pattern
  let depth = 0
  return pattern.replace(/\\.|\[\^?\]?|\]|\n/gs, (piece) => {
    if (piece.startsWith('[')) depth++
    if (piece === ']' && depth > 0) depth--
    return depth === 0 && (piece === '\\n' || piece === '\n') ? '(?:\\r?\\n)' : piece
  })
}
