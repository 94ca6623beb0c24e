import type { Size } from '../state.ts'
import type { Key } from '../tty/key.ts'
import { clamped, isBefore, lastTop, scrolled } from './scroll.ts'
import type { ViewSearch } from './source.ts'
import { begin, type Top, type View, type ViewArea, viewArea } from './view.ts'

/** Opens a view. */
export type OpenViewAction = { readonly type: 'open_output' | 'toggle_thoughts' }

export type ViewAction =
  | { readonly type: 'change_view'; readonly view: View }
  | { readonly type: 'search_view'; readonly search: ViewSearch }
  | { readonly type: 'use_view'; readonly verb: ViewVerb }
  | { readonly type: 'close_view' }
  | { readonly type: 'nothing' }

/** A request of a view: another call, or the text in the user's own pager. */
export type ViewVerb = 'next' | 'previous' | 'outside'

type Moves = (view: View, area: ViewArea) => Top

const by =
  (rows: (area: ViewArea) => number): Moves =>
  (view, area) =>
    scrolled(view, rows(area), area)
const line = by(() => 1)
const lineUp = by(() => -1)
const page = by(({ height }) => Math.max(1, height - 1))
const pageUp = by(({ height }) => -Math.max(1, height - 1))
const half = by(({ height }) => Math.max(1, height >> 1))
const halfUp = by(({ height }) => -Math.max(1, height >> 1))
const first: Moves = () => begin
const last: Moves = ({ source }, area) => lastTop(source, area)

const moves: Readonly<Record<string, Moves>> = {
  down: line,
  j: line,
  e: line,
  enter: line,
  'ctrl+n': line,
  'ctrl+e': line,
  up: lineUp,
  k: lineUp,
  y: lineUp,
  'ctrl+p': lineUp,
  'ctrl+y': lineUp,
  pagedown: page,
  ' ': page,
  f: page,
  'ctrl+f': page,
  'ctrl+v': page,
  pageup: pageUp,
  b: pageUp,
  'ctrl+b': pageUp,
  'alt+v': pageUp,
  d: half,
  'ctrl+d': half,
  u: halfUp,
  'ctrl+u': halfUp,
  home: first,
  g: first,
  '<': first,
  'ctrl+home': first,
  end: last,
  G: last,
  '>': last,
  'ctrl+end': last,
}

const closing: ReadonlySet<string> = new Set(['esc', 'q', 'Q', 'ctrl+c', 'ctrl+o', 'ctrl+t'])
const verbs: Readonly<Record<string, ViewVerb>> = {
  right: 'next',
  ']': 'next',
  tab: 'next',
  left: 'previous',
  '[': 'previous',
  'shift+tab': 'previous',
  v: 'outside',
}

const nothing: ViewAction = { type: 'nothing' }

/** Maps a key to an action of the open view. Pure. Characters that arrive together act one after the other, until one leaves the view. */
export function readViewKey(view: View, size: Size, key: Key): ViewAction {
  const area = viewArea(size)
  if (key.type === 'press') return readName({ ...view, note: undefined }, key.name, area)
  if (view.typed !== undefined) return retype(view, view.typed + key.text.replace(/\n[\s\S]*/, ''))
  if (key.type === 'paste') return nothing
  let now = view
  for (const [i, name] of Array.from(key.text).entries()) {
    if (now.typed !== undefined) return retype(now, now.typed + Array.from(key.text).slice(i).join(''))
    const action = readName({ ...now, note: undefined }, name, area)
    if (action.type === 'change_view') now = action.view
    else if (action.type !== 'nothing') return action
  }
  return change(now)
}

function readName(view: View, name: string, area: ViewArea): ViewAction {
  if (view.typed !== undefined) return readTyping(view, view.typed, name, area)
  const move = moves[name]
  if (move !== undefined) return change({ ...view, top: move(view, area) })
  if (closing.has(name)) return name === 'esc' && isNarrowed(view) ? widen(view) : { type: 'close_view' }
  if (name === '/') return change({ ...view, typed: '' })
  if (name === 'n' || name === 'N') return jump(view, name === 'N', area)
  const verb = verbs[name]
  if (verb === undefined) return change(view)
  if (view.type === 'diff' && verb !== 'outside') return jumpToPart(view, verb === 'previous', area)
  return { type: 'use_view', verb }
}

function readTyping(view: View, typed: string, name: string, area: ViewArea): ViewAction {
  if (name === 'backspace' && typed === '') return change({ ...view, typed: undefined })
  if (name === 'backspace') return retype(view, Array.from(typed).slice(0, -1).join(''))
  if (name === 'ctrl+u' || name === 'ctrl+w') return retype(view, '')
  if (name === 'esc' || name === 'ctrl+c')
    return isNarrowed(view) ? widen(view) : change({ ...view, typed: undefined })
  const move = name.length > 1 && name !== 'enter' ? moves[name] : undefined
  if (move !== undefined) return change({ ...view, top: move(view, area) })
  if (name !== 'enter') return change(view)
  if (view.narrow !== undefined || typed === '') return change({ ...view, typed: undefined })
  return { type: 'search_view', search: { words: typed, from: view.top.at, isBackward: false } }
}

/** Sets the typed words. They narrow the text at once, where it can be narrowed. */
function retype(view: View, typed: string): ViewAction {
  const { narrow } = view
  if (narrow === undefined) return change({ ...view, typed })
  return change({ ...view, typed, words: typed, source: narrow(typed), top: begin })
}

function isNarrowed({ narrow, words }: View): boolean {
  return narrow !== undefined && words !== ''
}

function widen(view: View): ViewAction {
  return change({
    ...view,
    typed: undefined,
    words: '',
    source: view.narrow?.('') ?? view.source,
    top: begin,
  })
}

/** Goes to the next line found, or to the next part if nothing is searched for. */
function jump(view: View, isBackward: boolean, area: ViewArea): ViewAction {
  const { words, source, top } = view
  if (words === '' || view.narrow !== undefined) return jumpToPart(view, isBackward, area)
  const from = isBackward ? top.at : source.next(top.at, area.width)
  return { type: 'search_view', search: { words, from, isBackward } }
}

function jumpToPart(view: View, isBackward: boolean, area: ViewArea): ViewAction {
  const { source, top } = view
  const parts = source.parts?.(area.width) ?? []
  const at = isBackward ? parts.findLast((one) => one < top.at) : parts.find((one) => one > top.at)
  return change(at === undefined ? view : { ...view, top: clamped(source, { at, row: 0 }, area) })
}

/** Shows the line that a search found; a line that is on the screen does not move it, unless it lies at the top. */
export function shownFound(view: View, { words }: ViewSearch, at: number | undefined, size: Size): View {
  const area = viewArea(size)
  const now = { ...view, typed: undefined, words }
  if (at === undefined) return { ...now, note: 'not found' }
  const top = { at, row: 0 }
  const last = lastTop(view.source, area)
  return { ...now, top: isBefore(last, top) ? last : top, note: undefined }
}

function change(view: View): ViewAction {
  return { type: 'change_view', view }
}
