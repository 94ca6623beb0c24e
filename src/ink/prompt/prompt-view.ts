import { columnsOf, graphemes } from '../rows/columns.ts'
import { cut, type Line, line, type Span, span } from '../rows/line.ts'
import type { Size } from '../state.ts'
import type { Stretch } from '../vim/lines-at.ts'
import { withVim } from '../vim/vim-change.ts'
import { selectionOf } from '../vim/vim-selection.ts'
import { isShell, type Prompt, promptMark, shellMark, shownText } from './prompt.ts'
import { rowsAround, type TextRow, tabColumns } from './prompt-rows.ts'

/** Window height at which `drawPrompt` returns one row. */
export const rowsOfOne = 4

/** Rows from which a draft that is cut says how much is hidden. */
const markedRows = 4

/** Returns the columns after which the text of a prompt wraps. */
export function textColumns(columns: number, mark: string): number {
  return Math.max(1, columns - 1 - hangOf(columns, mark))
}

function hangOf(columns: number, mark: string): number {
  const hang = columnsOf(mark)
  return hang < columns / 2 ? hang : 0
}

/** Draws the draft at the prompt. A shell command has a mark in the place of its `!`. */
export function drawDraftOf(prompt: Prompt, size: Size): Line[] {
  if (!isShell(prompt)) return drawPrompt(prompt, size, promptMark)
  const { text, cursor, vim } = prompt
  const shown = { ...prompt, text: text.slice(1), cursor: Math.max(0, cursor - 1) }
  const marked = withVim(shown, { anchor: Math.max(0, (vim?.anchor ?? 0) - 1) })
  return drawPrompt(marked, size, shellMark)
}

/** Draws the rows of a prompt around its cursor, in a third of the window. */
export function drawPrompt(prompt: Prompt, { columns, rows: window }: Size, mark: string): Line[] {
  const { text, cursor } = prompt
  const selection = selectionOf(prompt)
  const width = textColumns(columns, mark)
  const height = Math.max(1, Math.floor(window / 3))
  const { rows, at, above, below } = rowsAround(text, cursor, width, height)
  const isWhole = above === 0 && below === 0 && rows.length <= height
  const marks = isWhole || height < markedRows ? 0 : 2
  const room = height - marks
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room))
  const shown = rows.slice(first, first + room)
  const hang = hangOf(columns, mark)
  const drawn = shown.map((row, i): Line => {
    const isFirst = row.start === 0 && hang > 0
    const lead = isFirst ? span(mark, { color: 'accent', bold: true }) : span(' '.repeat(hang))
    const drawn = first + i === at ? drawCursorRow(text, row, cursor) : drawText(text, row)
    return [
      lead,
      ...(selection === undefined
        ? drawn
        : drawSelected(text, row, selection, first + i === at ? cursor : undefined)),
    ]
  })
  if (marks === 0) return drawn
  const hidden = (count: number | undefined, inRows: number, arrow: string) =>
    drawHidden(count === undefined ? undefined : count + inRows, `${' '.repeat(hang)}${arrow}`, columns)
  return [...hidden(above, first, '↑'), ...drawn, ...hidden(below, rows.length - first - shown.length, '↓')]
}

function drawHidden(count: number | undefined, lead: string, columns: number): Line[] {
  if (count === 0) return []
  return [cut(line(`${lead} ${count === undefined ? '' : `${count} `}more`, { color: 'muted' }), columns)]
}

function drawText(text: string, { start, end }: TextRow): Span[] {
  return [span(shown(text.slice(start, end)))]
}

function drawCursorRow(text: string, { start, end }: TextRow, cursor: number): Span[] {
  const under = graphemes(text.slice(cursor, Math.min(end, cursor + 64)))[0] ?? ''
  return [
    span(shown(text.slice(start, cursor))),
    span(under === '' ? ' ' : shown(under).slice(0, under === '\t' ? 1 : undefined), {
      inverse: true,
      isCursor: true,
    }),
    ...(under === '\t' ? [span(' '.repeat(tabColumns - 1))] : []),
    span(shown(text.slice(cursor + under.length, end))),
  ]
}

/** Draws a row of which a part may be selected. The cursor is the one character of the selection that is not marked. */
function drawSelected(text: string, row: TextRow, selection: Stretch, cursor: number | undefined): Span[] {
  const from = Math.min(Math.max(selection.start, row.start), row.end)
  const to = Math.min(Math.max(selection.end, from), row.end)
  const part = (start: number, end: number) =>
    start < end ? [span(shown(text.slice(start, end)), { inverse: true })] : []
  const at = cursor !== undefined && cursor >= from ? Math.min(cursor, to) : undefined
  const isEmptyLine = row.start === row.end && selection.start <= row.start && selection.end >= row.end
  const rest = drawText(text, { start: to, end: row.end })
  if (at === undefined || cursor === undefined)
    return [
      ...drawText(text, { start: row.start, end: from }),
      ...(isEmptyLine ? [span(' ', { inverse: true })] : part(from, to)),
      ...rest,
    ]
  const [under = ''] = graphemes(text.slice(at, Math.min(row.end, at + 64)))
  return [
    ...drawText(text, { start: row.start, end: from }),
    ...part(from, at),
    span(under === '' ? ' ' : shown(under), { isCursor: true }),
    ...part(at + under.length, to),
    ...drawText(text, { start: Math.max(to, at + under.length), end: row.end }),
  ]
}

function shown(text: string): string {
  return shownText(text).replaceAll('\t', ' '.repeat(tabColumns))
}
