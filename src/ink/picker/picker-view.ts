import { drawPrompt, rowsOfOne } from '../prompt/prompt-view.ts'
import { columnsOf, fitting } from '../rows/columns.ts'
import { columnsOfLine, cut, type Line, line, span, tinted } from '../rows/line.ts'
import type { Screen, Size } from '../state.ts'
import { type Picker, type PickerItem, variantOf } from './picker.ts'
import { drawMatch, drawPreview, previewRows, splitColumns } from './picker-parts.ts'

/** Rows of the screen that a picker never uses: the status line and two free rows. */
const otherRows = 3
/** Items that are visible at once: more would only be harder to read. */
const mostItems = 12
/** Title and filter. */
const headRows = 2
/** Narrower windows, and those with fewer rows, show no preview below the items. */
const previewFrom = { columns: 50, rows: 9 }
/** Width that facts must leave to the label. */
const leastLabel = 24

/** Returns the cells for a picker on the screen. */
export function pickerArea({ size: { columns, rows } }: Pick<Screen, 'size'>): Size {
  return { columns, rows: Math.max(1, Math.min(mostItems + headRows + previewRows, rows - otherRows)) }
}

/** Divides an area: the items come first, then the filter, the title and the preview. */
function layOut(picker: Picker, { columns, rows }: Size) {
  const head = Math.min(headRows, rows - 1)
  const split = picker.hasPreview && rows - head > 2 ? splitColumns(columns) : undefined
  const hasRoom = columns >= previewFrom.columns && rows >= previewFrom.rows
  const below = picker.hasPreview && split === undefined && hasRoom ? previewRows : 0
  return { head, below, split, page: Math.min(mostItems, rows - head - below) }
}

/** Returns the number of items that are visible at once. */
export function pageOf(picker: Picker, area: Size): number {
  return layOut(picker, area).page
}

/** Draws the title, the filter, the items around the focused one and its preview. Returns at most the rows of the area. */
export function drawPicker(picker: Picker, area: Size): Line[] {
  const { columns } = area
  const { found, focus, filter } = picker
  const { below, split, head, page } = layOut(picker, area)
  const width = split?.left ?? columns
  const heading = [
    drawTitle(picker, page, columns),
    ...(picker.verbs === undefined ? drawPrompt(filter, { columns, rows: rowsOfOne }, '› ') : [[]]),
  ]
  const rows = drawItems(picker, page, width)
  // The list keeps its height while it is filtered, so that nothing below it jumps.
  const preview: Partial<PickerItem> = found[focus] ?? {}
  const sampled = split === undefined ? 0 : (preview.sample?.length ?? 0)
  const height = Math.min(page, Math.max(rows.length, rowsOfAll(picker, page), sampled))
  const top = heading.slice(heading.length - head)
  const blank: readonly Line[] = Array.from({ length: height - rows.length }, () => [])
  if (split === undefined) return [...top, ...rows, ...drawPreview(preview, below, columns), ...blank]
  return [...top, ...beside([...rows, ...blank], drawPreview(preview, height, split.right), split.left)]
}

/** Puts the rows of the preview to the right of the items. */
function beside(left: readonly Line[], right: readonly Line[], width: number): Line[] {
  return left.map((row, i) => {
    const gap = ' '.repeat(Math.max(0, width - columnsOfLine(row)))
    return [...row, span(`${gap} │ `, { color: 'faint' }), ...(right[i] ?? [])]
  })
}

/** Returns how many rows all items take, if that is fewer than a page. */
function rowsOfAll({ items }: Picker, page: number): number {
  if (items.length >= page) return page
  return items.length + items.filter(({ group }, i) => isHeaded(group, items[i - 1])).length
}

function isHeaded(group: string | undefined, before: PickerItem | undefined): boolean {
  return group !== undefined && group !== before?.group
}

/** Draws the title, with the number of items unless all of them are visible. */
function drawTitle({ title, found, items, isLoading }: Picker, page: number, columns: number): Line {
  const isFiltered = found.length < items.length
  const count = isFiltered ? `  ${found.length} of ${items.length}` : `  ${items.length}`
  const isShown = isFiltered || isLoading || items.length > page
  const more = isLoading ? ' …' : ''
  return cut([span(title, { bold: true }), span(isShown ? count + more : '', { color: 'muted' })], columns)
}

function emptyNote({ isLoading, items }: Picker): string {
  if (isLoading) return 'reading …'
  return items.length === 0 ? 'nothing to choose' : 'nothing matches: Esc clears the filter'
}

/** Draws at most `page` rows: the items around the focused one, below the headings of their groups. */
function drawItems(picker: Picker, page: number, columns: number): Line[] {
  const { found, focus } = picker
  if (found.length === 0) return [cut(line(`  ${emptyNote(picker)}`, { color: 'muted' }), columns)]
  const begin = Math.max(0, focus - page)
  const rows = found.slice(begin, focus + page + 1).flatMap((item, i): readonly ListRow[] => {
    const index = begin + i
    const head = isHeaded(item.group, found[index - 1]) ? [{ item }] : []
    return [...head, { item, index }]
  })
  const at = rows.findIndex(({ index }) => index === focus)
  const first = Math.max(0, Math.min(at - Math.floor(page / 2), rows.length - page))
  const shown = rows.slice(first, first + page)
  const [top] = shown
  // The heading stays in sight while its group is scrolled.
  if (top?.index !== undefined && top.item.group !== undefined && top.index !== focus && page > 3)
    shown[0] = { item: top.item }
  const options = { columns, widths: fittingFacts(picker, columns), picker }
  return shown.map(({ item, index }) =>
    index === undefined
      ? cut(line(`  ${item.group ?? ''}`, { color: 'muted', bold: true }), columns)
      : drawItem(item, { ...options, isFocused: index === focus }),
  )
}

/** A row of the list: an item with its position, or the heading of its group. */
interface ListRow {
  readonly item: Picker['found'][number]
  readonly index?: number
}

/** Returns the widths of the first facts that leave enough room for the label. */
function fittingFacts({ widths }: Picker, columns: number): readonly number[] {
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
  readonly picker: Picker
  readonly isFocused: boolean
}

function drawItem(item: PickerItem, { columns, widths, picker, isFocused }: ItemOptions): Line {
  const { label, facts = [], isOff = false, isCurrent = false } = item
  const mark = isFocused ? span('❯ ', { color: 'accent', bold: true }) : span('  ')
  const indent = item.group === undefined ? '' : '  '
  const right = widths.map((width, i) => `  ${padded(facts[i] ?? '', width)}`).join('')
  const room = columns - columnsOf(right)
  const form: Line = [...drawVariant(picker, item, isFocused), span(isCurrent ? ' ✓' : '', { color: 'good' })]
  const tail = columnsOfLine(form) <= room / 2 ? form : []
  const style = isOff ? ({ color: 'muted' } as const) : isFocused ? { bold: true } : {}
  // Long labels are cut before they are searched for marks.
  const shown = label.slice(0, fitting(label, 0, columns) + 1)
  const marks = picker.filter.text.trim() === '' ? [] : picker.matcher.marks(shown, picker.filter.text)
  const name = cut([mark, span(indent), ...drawMatch(shown, marks, style)], room - columnsOfLine(tail))
  const left = cut([...name, ...tail], room)
  const fill = ' '.repeat(Math.max(0, room - columnsOfLine(left)))
  const row = [...left, span(fill + right, { color: isOff ? 'faint' : 'muted' })]
  return isFocused ? tinted(row, 'chosen', columns) : row
}

/** Draws the chosen form of an item, with arrows while it is focused. */
function drawVariant(picker: Picker, item: PickerItem, isFocused: boolean): Line {
  const position = variantOf(picker, item) ?? 0
  const chosen = item.variants?.[position]
  // The first form goes without saying.
  if (chosen === undefined || (!isFocused && position === 0)) return []
  if (!isFocused) return [span(`  ${chosen.label}`, { color: 'muted' })]
  return [span('  ‹ ', { color: 'accent' }), span(chosen.label), span(' ›', { color: 'accent' })]
}

function padded(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - columnsOf(text))) + text
}

/** Explains the keys of the open picker in the longest form that fits. */
export function pickerHint({ picker, questions, size }: Screen): string | undefined {
  if (picker === undefined || questions.length > 0) return undefined
  const esc = picker.filter.text === '' ? 'Esc cancels' : 'Esc clears'
  const { found, focus, verbs, enter = 'chooses', tab } = picker
  const forms = found[focus]?.variants === undefined ? [] : ['← → changes its level']
  const letters = Object.entries(verbs ?? {}).map(([letter, meaning]) => `${letter} ${meaning}`)
  const lists = tab === undefined ? [] : [`Tab ${tab}`]
  const short = [...forms, ...lists, ...letters, `Enter ${enter}`, verbs === undefined ? esc : 'Esc closes']
  const search = verbs === undefined ? ['type to search'] : []
  const all = [[...search, '↑ ↓ PgUp PgDn move', ...short], [...search, ...short], short, short.slice(-2)]
  const texts = all.map((parts) => parts.join(' · '))
  return texts.find((text) => columnsOf(text) <= size.columns) ?? texts.at(-1)
}
