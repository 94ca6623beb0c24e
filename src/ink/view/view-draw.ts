import { formatExactly } from '../../frontend/words/amount.ts'
import { columnsOf } from '../rows/columns.ts'
import { columnsOfLine, cut, type Line, line, type Span, span } from '../rows/line.ts'
import type { Screen } from '../state.ts'
import { markFound } from './found.ts'
import { isAtEnd, visibleEnd, visibleRows } from './scroll.ts'
import { type View, type ViewArea, viewArea } from './view.ts'

/** Narrower screens leave the facts out if the title needs their place. */
const leastColumns = 72

/** Draws the whole screen: title, text, status. At most as many rows as the screen has, none wider than it. */
export function drawView(screen: Screen, view: View): readonly Line[] {
  const { rows } = screen.size
  const area = viewArea(screen.size)
  const text = visibleRows(view, area).map((row) => cut(markFound(row, view.words), area.width))
  const blank = Array.from({ length: area.height - text.length }, (): Line => [])
  const body = [...text, ...blank]
  const status = drawStatus(screen, view, area)
  if (rows < 2) return [status]
  return rows < 3 ? [...body, status] : [drawTitle(view, area.width), ...body, status]
}

/** Draws the title in a rule, with the facts at its right. */
function drawTitle({ title, facts }: View, width: number): Line {
  const told = facts === '' ? '' : ` ${facts} ──`
  // A narrow screen has room for the title alone.
  const right = width < leastColumns && columnsOf(title) + columnsOf(told) + 4 > width ? '' : told
  const room = width - columnsOf(right)
  const left = cut([span('── ', { color: 'faint' }), span(`${title} `, { bold: true })], room)
  const rule = '─'.repeat(Math.max(0, room - columnsOfLine(left)))
  return cut([...left, span(rule, { color: 'faint' }), span(right, { color: 'muted' })], width)
}

function drawStatus({ questions }: Screen, view: View, area: ViewArea): Line {
  if (view.typed !== undefined) {
    const what = view.narrow === undefined ? '/' : 'show: '
    return cut([span(what, { color: 'accent' }), span(view.typed), span(' ', { inverse: true })], area.width)
  }
  const asks: Span[] =
    questions.length === 0
      ? []
      : [span('pipe has a question for you: Esc shows it', { color: 'warning', bold: true })]
  const left: Line = asks.length > 0 ? asks : [span(view.note ?? position(view, area), { color: 'muted' })]
  const hints = fittingHints(view, area.width - columnsOfLine(left) - 2)
  const gap = area.width - columnsOfLine(left) - columnsOf(hints)
  const right = hints === '' ? [] : [span(' '.repeat(Math.max(0, gap))), span(hints, { color: 'muted' })]
  return cut([...left, ...right], area.width)
}

/** Says which lines are visible, of how many; by their share of the text if counting them takes too long. */
function position(view: View, area: ViewArea): string {
  const { source, top } = view
  const end = source.end(area.width)
  if (end === 0) return 'empty'
  const isAll = top.at === 0 && top.row === 0 && isAtEnd(view, area)
  const behind = visibleEnd(view, area)
  const share = isAll ? 'all' : isAtEnd(view, area) ? 'end' : `${Math.floor((100 * behind) / end)} %`
  const first = source.count(top.at, area.width)
  if (first === undefined) return share
  const last = source.count(source.previous(behind, area.width), area.width) ?? first
  return isAll
    ? `${formatExactly(first.total)} ${first.total === 1 ? 'line' : 'lines'}`
    : `${formatExactly(first.number)}–${formatExactly(last.number)} of ${formatExactly(first.total)} · ${share}`
}

/** Lists as many keys as fit. The last one, which closes the view, is the one to keep. */
function fittingHints({ hints, narrow, words }: View, room: number): string {
  const search = narrow !== undefined ? '/ filters' : words === '' ? '/ searches' : 'n N next, previous'
  const all = [...hints, search, 'q closes']
  for (let i = 0; i < all.length; i++) {
    const text = all.slice(i).join(' · ')
    if (columnsOf(text) <= room) return text
  }
  return ''
}

/** Draws an empty text. */
export function emptyText(words: string): readonly Line[] {
  return [line(words, { color: 'muted' })]
}
