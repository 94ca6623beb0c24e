import { columnsOf } from './columns.ts'
import { columnsOfLine, cut, type Line, line, lines, span, wrap } from './line.ts'
import type { Picker, PickerItem } from './picker.ts'
import { drawPrompt, rowsOfOne } from './prompt-view.ts'
import type { Screen, Size } from './state.ts'

/** Rows of the screen that a picker never uses: the status line and two free rows. */
const otherRows = 3
/** A taller picker would only be harder to read. */
const mostRows = 24
/** Rows of the preview, in an area that has at least `previewFrom` rows. */
const previewRows = 3
const previewFrom = 9
/** Width that facts must leave to the label. */
const leastLabel = 24

/** Returns the cells for a picker on the screen. */
export function pickerArea({ size: { columns, rows } }: Pick<Screen, 'size'>): Size {
  return { columns, rows: Math.max(1, Math.min(mostRows, rows - otherRows)) }
}

/** Divides the rows of an area: the items come first, then the filter, the title and the preview. */
function layOut(picker: Picker, { rows }: Size) {
  const preview = picker.hasPreview && rows >= previewFrom ? previewRows : 0
  const head = Math.min(2, rows - 1)
  return { preview, head, page: rows - head - preview }
}

/** Returns the number of items that are visible at once. */
export function pageOf(picker: Picker, area: Size): number {
  return layOut(picker, area).page
}

/** Draws the title, the filter, the items around the focused one and its preview. Returns at most the rows of the area. */
export function drawPicker(picker: Picker, area: Size): Line[] {
  const { columns } = area
  const { found, focus, filter, widths } = picker
  const { preview, head, page } = layOut(picker, area)
  const first = Math.max(0, Math.min(focus - Math.floor(page / 2), found.length - page))
  const shown = found.slice(first, first + page)
  const kept = fittingFacts(widths, columns)
  const rows = shown.map((item, i) =>
    drawItem(item, { columns, widths: kept, isFocused: first + i === focus }),
  )
  const heading = [
    drawTitle(picker, page, columns),
    ...drawPrompt(filter, { columns, rows: rowsOfOne }, '› '),
  ]
  return [
    ...heading.slice(heading.length - head),
    ...(rows.length === 0 ? [cut(line(`  ${emptyNote(picker)}`, { dim: true }), columns)] : rows),
    ...drawPreview(found[focus], preview, columns),
  ]
}

/** Draws the title, with the number of items unless all of them are visible. */
function drawTitle({ title, found, items, isLoading }: Picker, page: number, columns: number): Line {
  const isFiltered = found.length < items.length
  const count = isFiltered ? `  ${found.length} of ${items.length}` : `  ${items.length}`
  const isShown = isFiltered || isLoading || items.length > page
  const more = isLoading ? ' …' : ''
  return cut([span(title, { bold: true }), span(isShown ? count + more : '', { dim: true })], columns)
}

function emptyNote({ isLoading, items }: Picker): string {
  if (isLoading) return 'reading …'
  return items.length === 0 ? 'nothing to choose' : 'nothing matches: Esc clears the filter'
}

/** Returns the widths of the first facts that leave enough room for the label. */
function fittingFacts(widths: readonly number[], columns: number): readonly number[] {
  let left = columns - leastLabel
  const end = widths.findIndex((width) => {
    left -= width + 2
    return left < 0
  })
  return end === -1 ? widths : widths.slice(0, end)
}

interface ItemOptions {
  readonly columns: number
  /** Widths of the facts to draw. */
  readonly widths: readonly number[]
  readonly isFocused: boolean
}

function drawItem({ label, facts = [] }: PickerItem, { columns, widths, isFocused }: ItemOptions): Line {
  const mark = isFocused ? span('❯ ', { color: 'cyan', bold: true }) : span('  ')
  const right = widths.map((width, i) => `  ${padded(facts[i] ?? '', width)}`).join('')
  const room = columns - columnsOf(right)
  const left = cut([mark, span(label, isFocused ? { bold: true } : {})], room)
  return [...left, span(' '.repeat(Math.max(0, room - columnsOfLine(left))) + right, { dim: true })]
}

function padded(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - columnsOf(text))) + text
}

/** Draws the focused item's other text in a fixed number of rows, so that moving the focus moves no row. */
function drawPreview(item: PickerItem | undefined, rows: number, columns: number): Line[] {
  const { preview = '' } = item ?? {}
  const drawn = lines(preview, { dim: true }).flatMap((one) => wrap([span('  '), ...one], columns, 2))
  return Array.from({ length: rows }, (_, i) => drawn[i] ?? [])
}

/** Explains the keys of the open picker in the longest form that fits. */
export function pickerHint({ picker, questions, size }: Screen): string | undefined {
  if (picker === undefined || questions.length > 0) return undefined
  const esc = picker.filter.text === '' ? 'Esc cancels' : 'Esc clears'
  const forms = [`type to search · ↑ ↓ PgUp PgDn move · Enter chooses · ${esc}`, `Enter chooses · ${esc}`]
  return forms.find((form) => columnsOf(form) <= size.columns) ?? forms.at(-1)
}
