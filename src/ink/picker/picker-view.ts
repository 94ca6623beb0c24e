import { counted } from '../../frontend/words/amount.ts'
import { drawPrompt, rowsOfOne } from '../prompt/prompt-view.ts'
import { columnsOf, fitting } from '../rows/columns.ts'
import { columnsOfLine, cut, type Line, line, type Style, span, tinted } from '../rows/line.ts'
import type { Screen, Size } from '../state.ts'
import { isRanked } from './matching.ts'
import type { Picker } from './picker.ts'
import type { PickerItem, Searchable } from './picker-item.ts'
import { variantOf } from './picker-keys.ts'
import { drawMatch, drawPreview, previewRows, splitColumns } from './picker-parts.ts'

/** Rows of the screen that a picker never uses: the status line and two free rows. */
const otherRows = 3
/** Items that are visible at once: more would only be harder to read. */
const mostItems = 12
/** Title and filter. */
const headRows = 2
/** A blank row before the preview, where that many items have room above it. */
const gapRows = 1
const gapFrom = 8
/** Narrower windows, and those with fewer rows, show one row of the preview below the items. */
const previewFrom = { columns: 50, rows: 9 }
/** Rows of an area from which that one row has room. */
const previewRowFrom = 7
/** Width that facts must leave to the label. */
const leastLabel = 24

/** Returns the cells for a picker on the screen. */
export function pickerArea({ size: { columns, rows } }: Pick<Screen, 'size'>): Size {
  return {
    columns,
    rows: Math.max(1, Math.min(headRows + mostItems + gapRows + previewRows, rows - otherRows)),
  }
}

/** Divides an area: the items come first, then the filter, the title and the preview. */
function layOut(picker: Picker, { columns, rows }: Size) {
  const head = Math.min(headRows, rows - 1)
  const split = picker.hasPreview && rows - head > 2 ? splitColumns(columns) : undefined
  const hasRoom = columns >= previewFrom.columns && rows >= previewFrom.rows
  const most = hasRoom ? previewRows : rows >= previewRowFrom ? 1 : 0
  const below = picker.hasPreview && split === undefined ? most : 0
  const room = rows - head - below
  const gap = below === previewRows && room >= gapFrom + gapRows ? gapRows : 0
  return { head, below, gap, split, page: Math.min(mostItems, room - gap) }
}

/** Returns the number of items that are visible at once. */
export function pageOf(picker: Picker, area: Size): number {
  return layOut(picker, area).page
}

/** Draws the title, the filter, the items around the focused one and its preview. Returns at most the rows of the area. */
export function drawPicker(picker: Picker, area: Size): Line[] {
  const { columns } = area
  const { found, focus, filter } = picker
  const { below, gap, split, head, page } = layOut(picker, area)
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
  const blanks = (length: number): readonly Line[] => Array.from({ length }, () => [])
  const blank = blanks(height - rows.length)
  if (split === undefined)
    return [...top, ...rows, ...blanks(gap), ...drawPreview(preview, below, columns), ...blank]
  return [...top, ...beside([...rows, ...blank], drawPreview(preview, height, split.right), split.left)]
}

/** Puts the rows of the preview to the right of the items. */
function beside(left: readonly Line[], right: readonly Line[], width: number): Line[] {
  return left.map((row, i) => {
    const gap = ' '.repeat(Math.max(0, width - columnsOfLine(row)))
    return [...row, span(`${gap} │ `, { color: 'faint' }), ...(right[i] ?? [])]
  })
}

/** Returns how many rows all items that a filter may find take, if that is fewer than a page. */
function rowsOfAll(picker: Picker, page: number): number {
  const isTyped = picker.filter.text !== ''
  const items = isTyped ? picker.items : picker.found
  if (items.length >= page) return page
  const heads = isRanked(picker) ? 0 : items.filter((item, i) => hasHead(picker, item, items[i - 1])).length
  return items.length + heads
}

/** Whether the heading of a group stands above an item. Ranked items are mixed, and have none. */
function hasHead(picker: Picker, { group }: PickerItem, before: PickerItem | undefined): boolean {
  return group !== undefined && group !== before?.group && !isRanked(picker)
}

/** Draws the title, with the number of items unless all of them are visible, and an order that the user chose. */
function drawTitle(picker: Picker, page: number, columns: number): Line {
  const { title, found, items, isLoading, noun, order, orders = [] } = picker
  const shown = found.filter(({ isFold }) => isFold !== true).length
  const isPart = shown < items.length
  const isCounted = isPart || isLoading || items.length > page
  const part = isPart ? `${shown} of ` : ''
  const numbers = [...(noun === undefined ? [] : [counted(items.length, noun)]), `${items.length}`]
  const by = order === 0 ? '' : `by ${orders[order]}`
  const forms = numbers.map((number) => {
    const count = isCounted ? `${part}${number}${isLoading ? ' …' : ''}` : ''
    return [count, by].filter(Boolean).join(', ')
  })
  const room = columns - columnsOf(title) - 2
  const words = forms.find((form) => columnsOf(form) <= room) ?? forms.at(-1) ?? ''
  return cut([span(title, { bold: true }), span(words && `  ${words}`, { color: 'muted' })], columns)
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
    const head = hasHead(picker, item, found[index - 1]) ? [{ item }] : []
    return [...head, { item, index }]
  })
  const at = rows.findIndex(({ index }) => index === focus)
  const first = Math.max(0, Math.min(at - Math.floor(page / 2), rows.length - page))
  const shown = rows.slice(first, first + page)
  const [top] = shown
  // The heading stays in sight while its group is scrolled.
  const isBelow = top?.index !== undefined && top.item.group !== undefined && !isRanked(picker)
  if (isBelow && top.index !== focus && page > 3) shown[0] = { item: top.item }
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

function drawItem(item: Searchable, { columns, widths, picker, isFocused }: ItemOptions): Line {
  const { group, isOff = false, isCurrent = false, isFold = false } = item
  const isQuiet = isOff || isFold
  const mark = isFocused ? span('❯ ', { color: 'accent', bold: true }) : span('  ')
  const style = isQuiet ? ({ color: 'muted' } as const) : isFocused ? { bold: true } : {}
  const indent = group === undefined || isRanked(picker) ? '' : '  '
  const name: Line = [mark, span(indent), ...drawLabel(picker, item, columns, style)]
  const form: Line = [...drawVariant(picker, item, isFocused), span(isCurrent ? ' ✓' : '', { color: 'good' })]
  const wanted = columnsOfLine(name) + columnsOfLine(form)
  const right = factsBeside(item, picker.keepsLabels === true ? columns - wanted : columns, widths)
  const room = columns - columnsOf(right)
  const tail = columnsOfLine(form) <= room / 2 ? form : []
  const left = cut([...cut(name, room - columnsOfLine(tail)), ...tail], room)
  const fill = ' '.repeat(Math.max(0, room - columnsOfLine(left)))
  const row = [...left, span(fill + right, { color: isOff ? 'faint' : 'muted' })]
  return isFocused ? tinted(row, 'chosen', columns) : row
}

function drawLabel({ filter, matcher }: Picker, { label }: PickerItem, columns: number, style: Style): Line {
  // Long labels are cut before they are searched for marks.
  const shown = label.slice(0, fitting(label, 0, columns) + 1)
  return drawMatch(shown, filter.text.trim() === '' ? [] : matcher.marks(shown, filter.text), style)
}

/** Returns the facts of an item in their columns, without the first ones if there is no room for all. */
function factsBeside({ facts = [] }: PickerItem, room: number, widths: readonly number[]): string {
  const columns = widths.map((width, i) => `  ${padded(facts[i] ?? '', width)}`)
  let left = room
  const cutAt = columns.findLastIndex((column) => {
    left -= columnsOf(column)
    return left < 0
  })
  return columns.slice(cutAt + 1).join('')
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
