import { printable } from '../terminal/printable.ts'
import { columnsOf } from './columns.ts'
import type { Key } from './keys.ts'
import { editPrompt, emptyPrompt, insertText, type Prompt } from './prompt.ts'

/** A row to choose. */
export interface PickerItem {
  readonly id: string
  readonly label: string
  /** Facts at the right, such as an age, the most important first. */
  readonly facts?: readonly string[]
  /** More text, shown while the row is focused. The filter searches it too. */
  readonly preview?: string
  /** Whether it is focused at first. Default: the first item is. */
  readonly isFocused?: boolean
}

/** A list to choose from, with a filter. */
export interface Picker {
  readonly title: string
  /** Whether items are still being read. */
  readonly isLoading: boolean
  /** The words that each item found must contain. */
  readonly filter: Prompt
  /** All items, each with its text to search. */
  readonly items: readonly Searchable[]
  /** The items that the filter matches, in order. */
  readonly found: readonly Searchable[]
  /** Position of the focused item among those found. */
  readonly focus: number
  /** Width of each fact in columns, over all items. */
  readonly widths: readonly number[]
  readonly hasPreview: boolean
}

interface Searchable extends PickerItem {
  /** In lower case. */
  readonly searched: string
}

export type PickerAction =
  | { readonly type: 'change_picker'; readonly picker: Picker }
  | { readonly type: 'pick'; readonly id: string }
  | { readonly type: 'cancel_pick' }
  | { readonly type: 'nothing' }

/** Longest filter in characters: it is one row, and a paste may be huge. */
const longestFilter = 200

/** Creates a picker without items, to be filled by `addItems`. */
export function openPicker(title: string, filter = ''): Picker {
  return {
    title: inOneRow(title),
    isLoading: true,
    filter: insertText(emptyPrompt, inOneRow(filter).slice(0, longestFilter)),
    items: [],
    found: [],
    focus: 0,
    widths: [],
    hasPreview: false,
  }
}

/** Adds items at the end, cleaned for the screen. */
export function addItems(picker: Picker, added: readonly PickerItem[]): Picker {
  const items = added.map(searchable)
  const widths = [...picker.widths]
  for (const { facts = [] } of items) {
    for (const [i, fact] of facts.entries()) widths[i] = Math.max(widths[i] ?? 0, columnsOf(fact))
  }
  const more = matching(items, picker.filter)
  const focus = more.findIndex(({ isFocused }) => isFocused === true)
  return {
    ...picker,
    items: [...picker.items, ...items],
    found: [...picker.found, ...more],
    focus: focus === -1 ? picker.focus : picker.found.length + focus,
    widths,
    hasPreview: picker.hasPreview || items.some(({ preview = '' }) => preview !== ''),
  }
}

/** Maps a key to an action. `page` is the number of visible items. Pure. */
export function readPickerKey(picker: Picker, page: number, key: Key): PickerAction {
  if (key.type !== 'press') return change(filtered(picker, insertText(picker.filter, inOneRow(key.text))))
  const { found, focus, filter } = picker
  if (key.name === 'enter') {
    const item = found[focus]
    return item === undefined ? { type: 'nothing' } : { type: 'pick', id: item.id }
  }
  if (leaving.has(key.name)) {
    return filter.text === '' ? { type: 'cancel_pick' } : change(filtered(picker, emptyPrompt))
  }
  const moved = movedFocus(key.name, { focus, page, last: Math.max(0, found.length - 1) })
  if (moved !== undefined) return change({ ...picker, focus: moved })
  const edited = edits.has(key.name) ? editPrompt(filter, key) : undefined
  return edited === undefined ? { type: 'nothing' } : change(filtered(picker, edited))
}

/** Keys that clear the filter, or cancel if it is empty. */
const leaving: ReadonlySet<string> = new Set(['esc', 'ctrl+c', 'ctrl+d'])

/** A position in a list, the number of rows visible at once, and the last position. */
interface ListPosition {
  readonly focus: number
  readonly page: number
  readonly last: number
}

/** Returns the focused position after a key that moves it; `undefined` for other keys. */
export function movedFocus(key: string, { focus, page, last }: ListPosition): number | undefined {
  const to = moves[key]?.(focus, page, last)
  return to === undefined ? undefined : Math.min(last, Math.max(0, to))
}

const moves: Readonly<Record<string, (focus: number, page: number, last: number) => number>> = {
  up: (focus) => focus - 1,
  down: (focus) => focus + 1,
  'ctrl+p': (focus) => focus - 1,
  'ctrl+n': (focus) => focus + 1,
  pageup: (focus, page) => focus - page,
  pagedown: (focus, page) => focus + page,
  home: () => 0,
  end: (_, __, last) => last,
}

/** Keys that edit the filter within its one line. */
const edits: ReadonlySet<string> = new Set([
  ...['left', 'right', 'ctrl+b', 'ctrl+f', 'ctrl+a', 'ctrl+e', 'ctrl+left', 'ctrl+right', 'alt+b', 'alt+f'],
  ...['backspace', 'delete', 'ctrl+w', 'alt+backspace', 'ctrl+u', 'ctrl+k'],
])

function change(picker: Picker): PickerAction {
  return { type: 'change_picker', picker }
}

/** Applies another filter. The focus stays on its item if the filter still matches it. */
function filtered(picker: Picker, filter: Prompt): Picker {
  if (filter.text.length > longestFilter) return picker
  if (filter.text === picker.filter.text) return { ...picker, filter }
  const found = matching(picker.items, filter)
  const focused = picker.found[picker.focus]
  return { ...picker, filter, found, focus: Math.max(0, focused === undefined ? 0 : found.indexOf(focused)) }
}

function matching(items: readonly Searchable[], { text }: Prompt): readonly Searchable[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  return items.filter(({ searched }) => words.every((word) => searched.includes(word)))
}

function searchable({ label, facts = [], preview = '', ...item }: PickerItem): Searchable {
  const clean = { ...item, label: inOneRow(label), facts: facts.map(inOneRow), preview: printable(preview) }
  return { ...clean, searched: `${clean.label}\n${clean.preview}`.toLowerCase() }
}

/** Cleans a text for one row. Keeps leading spaces, which indent a tree. */
function inOneRow(text: string): string {
  return printable(text).replace(/[\t\n]+/g, ' ')
}
