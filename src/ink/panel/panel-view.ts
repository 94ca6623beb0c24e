import { pickerArea } from '../picker/picker-view.ts'
import { columnsOf } from '../rows/columns.ts'
import { cut, type Line, line, lines, span, wrap } from '../rows/line.ts'
import type { Screen, Size } from '../state.ts'
import { drawElf, measureElves } from '../transcript/elf-view.ts'
import { drawElfPage } from './elf-page.ts'
import { elfOffers, elfSummary } from './elf-row.ts'
import type { Offer, Panel, TaskList } from './panel.ts'
import { drawTaskRow, previewOf, taskOffers } from './task-row.ts'

/** The contents of a panel, whatever it lists. */
interface Contents {
  readonly title: string
  readonly summary: string
  readonly isLoading: boolean
  readonly count: number
  /** Shown if it lists nothing. */
  readonly none: string
  readonly drawRow: (index: number, columns: number, isFocused: boolean) => Line
  /** Text about the focused row. Empty: no rows are kept for it. */
  readonly preview: string | undefined
  readonly offers: readonly Offer[]
  /** The page of the focused row below its head. */
  readonly drawPage: (columns: number) => readonly Line[]
}

/** Returns the cells for a panel on the screen. */
const panelArea: (screen: Pick<Screen, 'size'>) => Size = pickerArea

/** Rows of the preview, in an area that has at least `previewFrom` rows. */
const previewRows = 2
const previewFrom = 9

function contentsOf(screen: Screen, panel: Panel): Contents {
  return panel.type === 'tasks' ? taskContents(screen, panel) : elfContents(screen, panel)
}

function elfContents({ elves, now }: Screen, { focus, page }: Panel): Contents {
  const focused = elves[focus]
  const widths = measureElves(elves)
  return {
    title: 'Elves',
    summary: elfSummary(elves),
    isLoading: false,
    count: elves.length,
    none: 'no elf has worked in this conversation yet',
    drawRow: (index, columns, isFocused) => {
      const elf = elves[index]
      const mark = isFocused ? span('❯ ', { color: 'accent', bold: true }) : span('  ')
      return elf === undefined
        ? []
        : [mark, ...drawElf(elf, { now, columns: Math.max(0, columns - 2), widths })]
    },
    preview: undefined,
    offers: focused === undefined ? [] : elfOffers(focused, page),
    drawPage: (columns) => (focused === undefined ? [] : drawElfPage(focused, columns)),
  }
}

function taskContents({ now }: Screen, panel: TaskList): Contents {
  const { tasks, focus, page, summary, isLoading, epoch } = panel
  const focused = tasks[focus]
  return {
    title: 'Tasks',
    summary,
    isLoading,
    count: tasks.length,
    none: 'no tasks yet: /task TEXT puts one on the board',
    drawRow: (index, columns, isFocused) => {
      const task = tasks[index]
      return task === undefined ? [] : drawTaskRow(task, { columns, now: epoch + now, isFocused })
    },
    preview: focused === undefined ? '' : previewOf(focused),
    offers: focused === undefined ? [] : taskOffers(focused, panel),
    drawPage: (columns) => page?.draw?.(columns) ?? [],
  }
}

/** Returns the number of rows that a panel lists. */
export function countOf(screen: Screen, panel: Panel): number {
  return contentsOf(screen, panel).count
}

/** Lists the keys that act on the focused row. */
export function offersOf(screen: Screen, panel: Panel): readonly Offer[] {
  return contentsOf(screen, panel).offers
}

/** Returns the number of rows that a list shows at once. */
export function pageSize(screen: Screen, panel: Panel): number {
  const area = panelArea(screen)
  return layOut(area, contentsOf(screen, panel)).page
}

/** Divides the rows of an area: the title comes first, then the rows, the preview, and the blank row above it. */
function layOut({ rows }: Size, { preview }: Contents) {
  const hasPreview = preview !== undefined && rows >= previewFrom
  const head = rows > 1 ? 1 : 0
  return {
    head,
    preview: hasPreview ? previewRows : 0,
    page: Math.max(1, rows - head - (hasPreview ? previewRows : 0)),
  }
}

/** Draws the list, or the page of its focused row. Returns at most the rows of the area. */
export function drawPanel(screen: Screen, panel: Panel): Line[] {
  const contents = contentsOf(screen, panel)
  return panel.page === undefined ? drawList(screen, panel, contents) : drawPage(screen, panel, contents)
}

function drawList(screen: Screen, { focus }: Panel, contents: Contents): Line[] {
  const area = panelArea(screen)
  const { columns } = area
  const { title, summary, isLoading, count, none, preview } = contents
  const { head, preview: below, page } = layOut(area, contents)
  const first = Math.max(0, Math.min(focus - Math.floor(page / 2), count - page))
  const shown = Math.min(page, count - first)
  const facts = isLoading ? '  reading …' : summary === '' ? '' : `  ${summary}`
  const heading = cut([span(title, { bold: true }), span(facts, { color: 'muted' })], columns)
  const rows = Array.from({ length: shown }, (_, i) =>
    contents.drawRow(first + i, columns, first + i === focus),
  )
  const empty = isLoading ? [] : [cut(line(`  ${none}`, { color: 'muted' }), columns)]
  const told = lines(preview ?? '', { color: 'muted' }).flatMap((one) =>
    wrap([span('  '), ...one], columns, 2),
  )
  return [
    ...(head === 0 ? [] : [heading]),
    ...(count === 0 ? empty : rows),
    ...Array.from({ length: count === 0 ? 0 : below }, (_, i) => told[i] ?? []),
  ]
}

/** The visible part of a page. */
interface PageView {
  readonly body: readonly Line[]
  readonly offset: number
  readonly height: number
}

/** Divides the page below its head, and keeps a row for the position if not all of it is visible. */
function viewPage(screen: Screen, panel: Panel, contents: Contents): PageView {
  const { columns, rows } = panelArea(screen)
  const body = contents.drawPage(columns)
  const room = Math.max(1, rows - 1)
  const height = body.length <= room ? body.length : Math.max(1, room - 1)
  const offset = Math.max(0, Math.min(panel.page?.offset ?? 0, body.length - height))
  return { body, offset, height }
}

function drawPage(screen: Screen, panel: Panel, contents: Contents): Line[] {
  const { columns, rows } = panelArea(screen)
  const { body, offset, height } = viewPage(screen, panel, contents)
  const position = `  PgUp PgDn rows ${offset + 1}–${offset + height} of ${body.length}`
  const drawn = [
    contents.drawRow(panel.focus, columns, false),
    ...body.slice(offset, offset + height),
    ...(height < body.length ? [cut(line(position, { color: 'muted' }), columns)] : []),
  ]
  return drawn.slice(0, rows)
}

/** Returns the offset of a page after scrolling by a key; `undefined` for other keys. */
export function pageScrolled(screen: Screen, panel: Panel, key: string): number | undefined {
  const { body, offset, height } = viewPage(screen, panel, contentsOf(screen, panel))
  const last = body.length - height
  const to = scrolls[key]?.(offset, height, last)
  return to === undefined ? undefined : Math.max(0, Math.min(last, to))
}

const scrolls: Readonly<Record<string, (offset: number, height: number, last: number) => number>> = {
  up: (offset) => offset - 1,
  down: (offset) => offset + 1,
  pageup: (offset, height) => offset - height,
  pagedown: (offset, height) => offset + height,
  home: () => 0,
  end: (_, __, last) => last,
}

/** Explains the keys of the open panel, or asks to confirm an act, in the longest form that fits. */
export function panelHint(screen: Screen): string | undefined {
  const { panel, questions, picker, size } = screen
  if (panel === undefined || picker !== undefined || questions.length > 0) return undefined
  const offers = offersOf(screen, panel)
  const asked = offers.find(({ verb, confirm }) => verb === panel.confirming && confirm !== undefined)
  const forms = asked === undefined ? keysOf(panel, offers) : confirmationOf(asked)
  return forms.find((form) => columnsOf(form) <= size.columns) ?? forms.at(-1)
}

function confirmationOf({ confirm = '', keys }: Offer): readonly string[] {
  const yes = keys.includes('esc') ? 'y or Esc' : 'y'
  return [`${confirm} ${yes} yes · any other key no`, `${confirm} ${yes}`]
}

function keysOf({ page }: Panel, offers: readonly Offer[]): readonly string[] {
  const isEscTaken = offers.some(({ keys }) => keys.includes('esc'))
  const leave = page !== undefined ? 'Esc goes back' : isEscTaken ? 'q closes' : 'Esc closes'
  const acts = [...offers.map(({ hint }) => hint).filter((hint) => hint !== ''), leave]
  const move = page === undefined ? '↑ ↓ PgUp PgDn move' : '↑ ↓ PgUp PgDn scroll'
  return [[move, ...acts].join(' · '), acts.join(' · '), leave]
}
