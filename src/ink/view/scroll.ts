import type { Line } from '../rows/line.ts'
import type { Screen, Size } from '../state.ts'
import type { Source } from './source.ts'
import { begin, type Top, type View, type ViewArea, viewArea } from './view.ts'

type Shown = Pick<View, 'source' | 'top'>

/** Returns the rows on the screen: at most `height`. */
export function visibleRows({ source, top }: Shown, { width, height }: ViewArea): readonly Line[] {
  const rows: Line[] = []
  const end = source.end(width)
  for (let at = top.at; at < end && rows.length < height; at = source.next(at, width)) {
    const all = source.rows(at, width)
    rows.push(...all.slice(at === top.at ? top.row : 0, height - rows.length + (at === top.at ? top.row : 0)))
  }
  return rows
}

/** Moves by rows, down or, if negative, up: at most to the last screenful. Cost grows with the rows moved. */
export function scrolled(shown: Shown, rows: number, area: ViewArea): Top {
  if (rows <= 0) return movedUp(shown.source, shown.top, -rows, area.width)
  const last = lastTop(shown.source, area)
  const moved = movedDown(shown.source, shown.top, rows, area.width)
  return isBefore(last, moved) ? (isBefore(last, shown.top) ? shown.top : last) : moved
}

/** Returns the top of the last screenful. */
export function lastTop(source: Source, { width, height }: ViewArea): Top {
  return movedUp(source, { at: source.end(width), row: 0 }, height, width)
}

/** Keeps a top within the text, which may have changed. */
export function clamped(source: Source, top: Top, area: ViewArea): Top {
  const last = lastTop(source, area)
  return isBefore(last, top) ? last : top
}

/** Whether the last row is on the screen. */
export function isAtEnd({ source, top }: Shown, area: ViewArea): boolean {
  return !isBefore(top, lastTop(source, area))
}

/** Returns the place behind the last visible line. */
export function visibleEnd({ source, top }: Shown, { width, height }: ViewArea): number {
  const end = source.end(width)
  let at = top.at
  for (let left = height + top.row; at < end && left > 0; at = source.next(at, width))
    left -= source.rows(at, width).length
  return at
}

function movedDown(source: Source, top: Top, rows: number, width: number): Top {
  const end = source.end(width)
  let { at, row } = top
  for (let left = rows; at < end; ) {
    const height = source.rows(at, width).length
    if (row + left < height) return { at, row: row + left }
    left -= height - row
    at = source.next(at, width)
    row = 0
  }
  return { at, row: 0 }
}

function movedUp(source: Source, top: Top, rows: number, width: number): Top {
  let { at, row } = top
  let left = rows
  while (left > row) {
    if (at === 0) return begin
    left -= row
    at = source.previous(at, width)
    row = source.rows(at, width).length
  }
  return { at, row: row - left }
}

export function isBefore(a: Top, b: Top): boolean {
  return a.at < b.at || (a.at === b.at && a.row < b.row)
}

/** Keeps the open view about where it was on a screen whose size has changed. Pure. */
export function resizeView(screen: Screen, before: Size): Screen {
  const { view, size } = screen
  if (view === undefined) return screen
  const { source, top } = view
  const area = viewArea(size)
  const isBegin = top.at === begin.at && top.row === begin.row
  if (!isBegin && isAtEnd(view, viewArea(before)))
    return { ...screen, view: { ...view, top: lastTop(source, area) } }
  const [old, now] = [source.end(before.columns), source.end(size.columns)]
  const at = old === now || old === 0 ? top.at : Math.round((top.at * now) / old)
  const row = before.columns === size.columns ? top.row : 0
  return { ...screen, view: { ...view, top: clamped(source, { at, row }, area) } }
}
