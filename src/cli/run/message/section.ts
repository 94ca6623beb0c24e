/** A section of a Markdown file: its lines, counted from 1, inclusive. */
export interface Section {
  readonly first: number
  readonly last: number
}

interface Heading {
  readonly level: number
  readonly text: string
  /** Index of its line. */
  readonly at: number
}

/**
 * Finds the section under a heading: up to the next heading of its level or a higher one. The name is the heading's text or its anchor,
 * in any case.
 */
export function findSection(lines: readonly string[], name: string): Section | undefined {
  const headings = headingsOf(lines)
  const wanted = anchorOf(name)
  const index = wanted === '' ? -1 : headings.findIndex(({ text }) => anchorOf(text) === wanted)
  const heading = headings[index]
  if (heading === undefined) return undefined
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level)
  return { first: heading.at + 1, last: next?.at ?? lines.length }
}

/** Returns the texts of all headings, in order. */
export function headingTexts(lines: readonly string[]): readonly string[] {
  return headingsOf(lines).map(({ text }) => text)
}

/** Returns the anchor of a heading, as forges make it. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}

/** Finds headings with number signs, and those with a line of `=` or `-` below, outside of fenced code. */
function headingsOf(lines: readonly string[]): readonly Heading[] {
  const found: Heading[] = []
  let fence: string | undefined
  for (const [at, line] of lines.entries()) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined
      continue
    }
    if (mark !== undefined) fence = mark
    else found.push(...headingAt(lines, at))
  }
  return found
}

function headingAt(lines: readonly string[], at: number): readonly Heading[] {
  const line = lines[at] ?? ''
  const [, signs = '', text] = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? []
  if (text !== undefined) return [{ level: signs.length, text, at }]
  const [, underline] = /^ {0,3}(=+|-+)[ \t]*$/.exec(lines[at + 1] ?? '') ?? []
  const isText = /^ {0,3}[^\s#>|*+-]/.test(line)
  if (underline === undefined || !isText) return []
  return [{ level: underline.startsWith('=') ? 1 : 2, text: line.trim(), at }]
}
