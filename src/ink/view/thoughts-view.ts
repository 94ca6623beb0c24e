import type { Screen } from '../state.ts'
import { ByteSource, bytesOf } from './byte-source.ts'
import { RowSource } from './row-source.ts'
import { clamped, isAtEnd, lastTop } from './scroll.ts'
import type { Source } from './source.ts'
import { begin, openView, type View, viewArea } from './view.ts'
import { emptyText } from './view-draw.ts'

const title = 'Thoughts'
const separator = '\n\n· · ·\n\n'

/** Shows the last thoughts of the model, from the beginning of the newest one on. */
export function thoughtsView(screen: Screen): View {
  const texts = thoughtsOf(screen)
  const source = sourceOf(texts)
  const view = openView({ type: 'thoughts', title, source, ...about(screen, texts) })
  const earlier = texts.slice(0, -1).map((text) => text + separator)
  const top = { at: bytesOf(earlier.join('')).size, row: 0 }
  const area = viewArea(screen.size)
  return {
    ...view,
    top: screen.draft?.type === 'thinking' ? lastTop(source, area) : clamped(source, top, area),
  }
}

/** Adds to an open view of the thoughts what the model has thought since. It follows the end if that is on the screen. Pure. */
export function followThoughts(screen: Screen): Screen {
  const { view } = screen
  if (view?.type !== 'thoughts') return screen
  const texts = thoughtsOf(screen)
  const now = about(screen, texts)
  if (now.facts === view.facts && now.length === view.length) return screen
  const source = sourceOf(texts)
  const area = viewArea(screen.size)
  const top = isAtEnd(view, area)
    ? lastTop(source, area)
    : clamped(source, view.length === 0 ? begin : view.top, area)
  return { ...screen, view: { ...view, source, ...now, top } }
}

function thoughtsOf({ recent, draft }: Screen): readonly string[] {
  const open = draft?.type === 'thinking' ? [draft.thinking.text] : []
  return [...recent.thoughts, ...open].map((text) => text.trim()).filter((text) => text !== '')
}

function about({ draft }: Screen, texts: readonly string[]) {
  return {
    facts: draft?.type === 'thinking' ? 'thinking…' : '',
    length: texts.reduce((sum, text) => sum + text.length, 0),
  }
}

function sourceOf(texts: readonly string[]): Source {
  if (texts.length === 0)
    return new RowSource(() => ({ rows: emptyText('The model has shared no thoughts yet.') }))
  return new ByteSource(bytesOf(texts.join(separator)), { isProse: true })
}
