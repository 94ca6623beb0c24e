/** A file that a text imports: `@docs/style.md`. */
export interface ImportMention {
  /** As it is written, with the sign. */
  readonly text: string
  /** Without the sign, escapes and a heading (`#setup`). It may end in a mark that belongs to the sentence. */
  readonly path: string
}

/** Most mentions of a file that are looked at. */
const most = 200

/** Finds the files that a text imports, in order. What stands in code is no import. */
export function importMentions(text: string): readonly ImportMention[] {
  const found: ImportMention[] = []
  for (const { 0: whole } of withoutCode(text).matchAll(/(?<!\S)@(?:[^\s\\@]|\\ )+/g)) {
    const path = whole.slice(1).replaceAll('\\ ', ' ').replace(/#.*$/, '')
    if (/^(~\/|\/|[\w.-])/.test(path)) found.push({ text: whole, path })
    if (found.length === most) break
  }
  return found
}

/** Whether a text says nothing besides what it imports. */
export function onlyImports(text: string): boolean {
  return (
    importMentions(text)
      .reduce((rest, mention) => rest.replace(mention.text, ''), text)
      .trim() === ''
  )
}

/** Removes blocks and spans of code. A block without an end goes on to the end of the text. */
function withoutCode(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^ {0,3}(?:[-*+>] +)?(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== undefined) {
      if (mark.startsWith(fence)) fence = undefined
    } else if (mark !== '') fence = mark
    else lines.push(line)
  }
  return withoutSpans(lines.join('\n'))
}

/** Removes spans between runs of as many backticks. A span ends within its paragraph. */
function withoutSpans(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => {
      const pieces = paragraph.split(/(`+)/)
      let kept = ''
      for (let i = 0; i < pieces.length; i++) {
        const piece = pieces[i] ?? ''
        const end = piece.startsWith('`') ? pieces.indexOf(piece, i + 1) : -1
        if (end > 0) i = end
        kept += end > 0 ? '`' : piece
      }
      return kept
    })
    .join('\n\n')
}
