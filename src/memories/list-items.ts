/** An item of a Markdown list outside of code blocks and comments. */
export interface ListItem {
  /** Indices of its first and last line. */
  readonly first: number
  readonly last: number
  /** Columns before its marker: 0 to 3. */
  readonly indent: number
  /** Its lines without the marker and the indentation. */
  readonly lines: readonly string[]
}

const marker = /^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*))?$/

/** Finds the items of all lists. Lines that are indented below an item belong to it, also after blank lines. Linear. */
export function findListItems(lines: readonly string[]): readonly ListItem[] {
  const items: ListItem[] = []
  for (let at = 0; at < lines.length; ) {
    const item = itemAt(lines, at)
    if (item !== undefined) items.push(item)
    at = item === undefined ? afterOther(lines, at) : item.last + 1
  }
  return items
}

function itemAt(lines: readonly string[], first: number): ListItem | undefined {
  const [, indent, mark, space = '', content = ''] = marker.exec(lines[first] ?? '') ?? []
  if (indent === undefined || mark === undefined) return undefined
  const last = lastLine(lines, first, indent.length)
  const inner = indent.length + mark.length + Math.max(1, space.length)
  const others = lines.slice(first + 1, last + 1).map((line) => dedent(line, inner))
  return { first, last, indent: indent.length, lines: [content, ...others] }
}

/** Returns the index of the last line that is indented deeper than the marker of the item. */
function lastLine(lines: readonly string[], first: number, indent: number): number {
  let last = first
  for (let at = first + 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    if (indentOf(line) <= indent) break
    last = at
  }
  return last
}

/** Counts leading columns; a tab as four. */
function indentOf(line: string): number {
  const [space = ''] = /^[ \t]*/.exec(line) ?? []
  return space.replaceAll('\t', '    ').length
}

function dedent(line: string, columns: number): string {
  let at = 0
  for (let left = columns; left > 0 && /[ \t]/.test(line[at] ?? ''); at++) left -= line[at] === '\t' ? 4 : 1
  return line.slice(at)
}

/** Returns the index of the line after what begins here: a code block, a comment, or one line of text. */
function afterOther(lines: readonly string[], at: number): number {
  const line = lines[at] ?? ''
  const [, fence] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
  if (fence !== undefined) return afterFirst(lines, at + 1, (one) => closes(one, fence))
  const isOpen = /^ {0,3}<!--/.test(line) && !line.includes('-->')
  return isOpen ? afterFirst(lines, at + 1, (one) => one.includes('-->')) : at + 1
}

function closes(line: string, fence: string): boolean {
  const [, run = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? []
  return run.startsWith(fence)
}

function afterFirst(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  let at = from
  while (at < lines.length && !isEnd(lines[at] ?? '')) at++
  return at + 1
}
