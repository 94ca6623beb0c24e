import { graphemes } from '../rows/columns.ts'
import { columnsOfLine, cut, type Line, lines, type Span, type Style, span, wrap } from '../rows/line.ts'
import type { PickerItem } from './picker-item.ts'

/** Rows of a preview below the items. */
export const previewRows = 3

/** Narrower windows have no room for a preview beside the items. */
const splitFrom = 100
/** Columns of the line between both. */
const gap = 3

/** Divides the columns of a list between its items and a preview at the right; `undefined` if there is no room. */
export function splitColumns(columns: number): { readonly left: number; readonly right: number } | undefined {
  if (columns < splitFrom) return undefined
  const left = Math.floor(columns * 0.58)
  return { left, right: columns - left - gap }
}

/** Draws other text of the focused item in a fixed number of rows, so that moving the focus moves no row. */
export function drawPreview(
  { preview = '', sample }: Partial<Pick<PickerItem, 'preview' | 'sample'>>,
  rows: number,
  columns: number,
): Line[] {
  if (sample !== undefined)
    return Array.from({ length: rows }, (_, i) => cut([span('  '), ...(sample[i] ?? [])], columns))
  const drawn: Line[] = []
  for (const one of lines(preview, { color: 'muted' })) {
    if (drawn.length >= rows) break
    // A row more than is shown tells that there is more.
    const begin = one.map((part) => ({ ...part, text: part.text.slice(0, columns * (rows + 1)) }))
    drawn.push(...wrap([span('  '), ...begin], columns, 2))
  }
  const isCut = drawn.length > rows
  return Array.from({ length: rows }, (_, i) => {
    const row = drawn[i] ?? []
    return isCut && i === rows - 1 ? tellingMore(row, columns) : row
  })
}

/** Ends a row with a mark that there is more. */
function tellingMore(row: Line, columns: number): Line {
  const mark = span(' …', { color: 'muted' })
  return columnsOfLine(row) + 2 <= columns ? [...row, mark] : cut([...row, mark], columns)
}

/** Draws a label whose characters at these positions stand out. */
export function drawMatch(label: string, marks: readonly number[], style: Style): Line {
  if (marks.length === 0) return [span(label, style)]
  const marked = new Set(marks)
  const spans: Span[] = []
  let at = 0
  let text = ''
  let wasMarked = false
  const flush = () => {
    if (text !== '') spans.push(span(text, wasMarked ? { ...style, color: 'accent', bold: true } : style))
    text = ''
  }
  // A character may take several positions, and must not be split.
  for (const character of graphemes(label)) {
    const isMarked = hasAny(marked, at, character.length)
    if (isMarked !== wasMarked) flush()
    wasMarked = isMarked
    text += character
    at += character.length
  }
  flush()
  return spans
}

function hasAny(marked: ReadonlySet<number>, from: number, count: number): boolean {
  return Array.from({ length: count }, (_, i) => from + i).some((position) => marked.has(position))
}
