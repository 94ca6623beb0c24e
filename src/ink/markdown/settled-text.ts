/** Inline markup: escapes, code, emphasis, strikes, brackets and targets of links; and white space. */
const mark = /\\.|`+|\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])|\]\(|[[\])\s]/gsu
const listMark = /^\s*([-*+]|\d{1,9}[.)])\s+/

/** Measures how much of an open text is drawn the same whatever follows: up to the last blank outside of emphasis, code and links. */
export function settledLength(text: string): number {
  const begins = listMark.exec(text)?.[0].length ?? 0
  let open: readonly string[] = []
  let settled = 0
  for (const { 0: token, index } of text.slice(begins).matchAll(mark)) {
    if (/^\s/.test(token)) {
      if (open.length === 0) settled = begins + index + 1
    } else open = toggled(open, token)
  }
  return settled
}

/** Opens or closes markup. Within code nothing else counts, and a bracket without a partner is text. */
function toggled(open: readonly string[], token: string): readonly string[] {
  const last = open.at(-1) ?? ''
  if (token.startsWith('\\') || (last.startsWith('`') && last !== token)) return open
  if (token === '](') return last === '[' ? [...open.slice(0, -1), token] : open
  if (token === ']' || token === ')') return closes(last, token) ? open.slice(0, -1) : open
  const at = token === '[' ? -1 : open.lastIndexOf(token)
  return at === -1 ? [...open, token] : open.slice(0, at)
}

function closes(open: string, token: string): boolean {
  return token === ']' ? open === '[' : open === ']('
}
