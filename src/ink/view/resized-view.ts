import type { Screen, Size } from '../state.ts'
import { clamped, isAtEnd, lastTop } from './scroll.ts'
import { begin, viewArea } from './view.ts'

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
