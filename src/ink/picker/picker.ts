import { printable } from '../../terminal/printable.ts'
import { editPrompt } from '../prompt/editing.ts'
import { emptyPrompt, insertText, type Prompt } from '../prompt/prompt.ts'
import { columnsOf } from '../rows/columns.ts'
import type { Line } from '../rows/line.ts'
import type { Key } from '../tty/key.ts'
import { type Matcher, wordMatcher } from './matcher.ts'
import { bestOf, isRanked, matching } from './matching.ts'

/** A row to choose. */
export interface PickerItem {
  readonly id: string
  readonly label: string
  /** Items with the same group stand below a heading. Default: no heading. */
  readonly group?: string
  /** Facts at the right, such as an age, the most important first. */
  readonly facts?: readonly string[]
  /** More text, shown while the row is focused. The filter searches it too. */
  readonly preview?: string
  /** Rows that are shown instead of a preview. */
  readonly sample?: readonly Line[]
  /** Whether it is focused at first. Default: the first item is. */
  readonly isFocused?: boolean
  /** Whether it is the one in use, which is marked. */
  readonly isCurrent?: boolean
  /** Whether it cannot be used now. It is shown in grey. */
  readonly isOff?: boolean
  /** Forms of the item, of which Left and Right choose one. */
  readonly variants?: readonly Variant[]
  /** Position of the form that is chosen at first. Default: 0. */
  readonly variant?: number
}

/** A form of an item. */
export interface Variant {
  /** Stands for the item's id when the form is chosen. */
  readonly id: string
  readonly label: string
}

/** Choices for a list as a whole. */
export interface PickerOptions {
  /** First words of the filter. */
  readonly filter?: string | undefined
  /** Whether items found keep their order. Default: the best match comes first. */
  readonly keepsOrder?: boolean | undefined
  /** Letters that act on the focused item, each with its meaning for the hint. The list then has no filter. */
  readonly verbs?: Readonly<Record<string, string>> | undefined
  /** Names the list that Tab opens, for the hint. Default: Tab does nothing. */
  readonly tab?: string | undefined
  /** The meaning of Enter for the hint. Default: `chooses`. */
  readonly enter?: string | undefined
}

/** A list to choose from, with a filter. */
export interface Picker extends Omit<PickerOptions, 'filter'> {
  readonly title: string
  /** Whether items are still being read. */
  readonly isLoading: boolean
  /** The words that each item found must contain. */
  readonly filter: Prompt
  readonly matcher: Matcher
  /** All items, each with its text to search. */
  readonly items: readonly Searchable[]
  /** The items that the filter matches, in order. */
  readonly found: readonly Searchable[]
  /** Position of the focused item among those found. */
  readonly focus: number
  /** Positions of the forms that the user chose, by item. */
  readonly variants: ReadonlyMap<string, number>
  /** Width of each fact in columns, over all items. */
  readonly widths: readonly number[]
  readonly hasPreview: boolean
}

export interface Searchable extends PickerItem {
  /** In lower case. */
  readonly searched: string
}

export type PickerAction =
  | { readonly type: 'change_picker'; readonly picker: Picker }
  | { readonly type: 'pick'; readonly id: string }
  /** Acts on an item with a letter of `verbs`. */
  | { readonly type: 'use_item'; readonly id: string; readonly verb: string }
  | { readonly type: 'next_list' }
  | { readonly type: 'cancel_pick' }
  | { readonly type: 'nothing' }

/** Longest filter in characters: it is one row, and a paste may be huge. */
const longestFilter = 200

/** Creates a picker without items, to be filled by `addItems`. */
export function openPicker(
  title: string,
  { filter = '', keepsOrder, verbs, enter, tab }: PickerOptions = {},
): Picker {
  return {
    title: inOneRow(title),
    isLoading: true,
    keepsOrder,
    verbs,
    enter,
    tab,
    filter: insertText(emptyPrompt, inOneRow(filter).slice(0, longestFilter)),
    matcher: wordMatcher,
    items: [],
    found: [],
    focus: 0,
    variants: new Map(),
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
  const more = matching(items, picker)
  const wanted = more.findIndex(({ isFocused }) => isFocused === true)
  const grown = { ...picker, items: [...picker.items, ...items] }
  return {
    ...grown,
    // Items come in any order of merit, so a ranked list has to be ranked again.
    ...(isRanked(picker) ? rankedAgain(grown) : { found: [...picker.found, ...more] }),
    ...(wanted === -1 || isRanked(picker) ? {} : { focus: picker.found.length + wanted }),
    widths,
    hasPreview:
      picker.hasPreview || items.some(({ preview, sample }) => preview !== '' || sample !== undefined),
  }
}

/** Replaces all items, and keeps the focus on its item. */
export function replaceItems(picker: Picker, items: readonly PickerItem[]): Picker {
  const filled = addItems({ ...picker, items: [], found: [], widths: [], hasPreview: false }, items)
  const id = picker.found[picker.focus]?.id
  const kept = filled.found.findIndex((item) => item.id === id)
  return {
    ...filled,
    focus: kept === -1 ? Math.min(picker.focus, Math.max(0, filled.found.length - 1)) : kept,
  }
}

/** Gives an item another preview, cleaned for the screen. */
export function withPreview(picker: Picker, id: string, text: string): Picker {
  const preview = printable(text)
  const change = (item: Searchable) => (item.id === id ? { ...item, preview } : item)
  return { ...picker, items: picker.items.map(change), found: picker.found.map(change) }
}

/** Applies another matcher to the filter. */
export function withMatcher(picker: Picker, matcher: Matcher): Picker {
  return picker.filter.text === ''
    ? { ...picker, matcher }
    : refiltered({ ...picker, matcher }, picker.filter)
}

/** Maps a key to an action. `page` is the number of visible items. Pure. */
export function readPickerKey(picker: Picker, page: number, key: Key): PickerAction {
  if (key.type === 'text' || key.type === 'paste') return readText(picker, key.text)
  if (key.type !== 'press') return { type: 'nothing' }
  const { found, focus, filter } = picker
  const item = found[focus]
  if (key.name === 'enter') {
    return item === undefined ? { type: 'nothing' } : { type: 'pick', id: chosenId(picker, item) }
  }
  if (key.name === 'tab' && picker.tab !== undefined) return { type: 'next_list' }
  if (leaving.has(key.name)) {
    return filter.text === '' ? { type: 'cancel_pick' } : change(filtered(picker, emptyPrompt))
  }
  const moved = movedFocus(key.name, { focus, page, last: Math.max(0, found.length - 1) })
  if (moved !== undefined) return change({ ...picker, focus: moved })
  const step = steps[key.name]
  if (step !== undefined && item?.variants !== undefined) return change(stepped(picker, item, step))
  const edited = picker.verbs === undefined && edits.has(key.name) ? editPrompt(filter, key) : undefined
  return edited === undefined ? { type: 'nothing' } : change(filtered(picker, edited))
}

function readText(picker: Picker, text: string): PickerAction {
  const { verbs, filter, found, focus } = picker
  if (verbs === undefined) return change(filtered(picker, insertText(filter, inOneRow(text))))
  const id = found[focus]?.id
  return Object.hasOwn(verbs, text) && id !== undefined
    ? { type: 'use_item', id, verb: text }
    : { type: 'nothing' }
}

/** Keys that clear the filter, or cancel if it is empty. */
const leaving: ReadonlySet<string> = new Set(['esc', 'ctrl+c', 'ctrl+d'])

const steps: Readonly<Record<string, number | undefined>> = { left: -1, right: 1 }

/** Returns the position of the chosen form of an item; `undefined` if it has one form only. */
export function variantOf(
  { variants }: Picker,
  { id, variant = 0, ...item }: PickerItem,
): number | undefined {
  return item.variants === undefined ? undefined : (variants.get(id) ?? variant)
}

function chosenId(picker: Picker, item: PickerItem): string {
  return item.variants?.[variantOf(picker, item) ?? 0]?.id ?? item.id
}

/** Chooses the form before or after the chosen one. */
function stepped(picker: Picker, item: PickerItem, step: number): Picker {
  const last = (item.variants?.length ?? 1) - 1
  const to = Math.min(last, Math.max(0, (variantOf(picker, item) ?? 0) + step))
  return { ...picker, variants: new Map(picker.variants).set(item.id, to) }
}

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
  ...['backspace', 'delete', 'ctrl+h', 'ctrl+w', 'alt+backspace', 'ctrl+u', 'ctrl+k'],
])

function change(picker: Picker): PickerAction {
  return { type: 'change_picker', picker }
}

function filtered(picker: Picker, filter: Prompt): Picker {
  if (filter.text.length > longestFilter) return picker
  return filter.text === picker.filter.text ? { ...picker, filter } : refiltered(picker, filter)
}

/** Applies a filter. The focus goes to the best match; in a list that keeps its order it stays on its item if that still matches. */
function refiltered(picker: Picker, filter: Prompt): Picker {
  const next = { ...picker, filter }
  const found = matching(picker.items, next)
  const focused = picker.found[picker.focus]
  const kept = focused === undefined || isRanked(next) ? -1 : found.indexOf(focused)
  return { ...next, found, focus: kept === -1 ? bestOf(found, next) : kept }
}

function rankedAgain(picker: Picker): Pick<Picker, 'found' | 'focus'> {
  const matched = matching(picker.items, picker)
  const focused = picker.found[picker.focus]
  if (focused === undefined) return { found: matched, focus: 0 }
  // A better match that comes late does not take the focused item from under the user's finger.
  const found = matched.includes(focused) ? matched : [focused, ...matched]
  return { found, focus: found.indexOf(focused) }
}

function searchable({ label, group, facts = [], preview = '', variants, ...item }: PickerItem): Searchable {
  const clean = {
    ...item,
    label: inOneRow(label),
    facts: facts.map(inOneRow),
    preview: printable(preview),
    ...(group === undefined ? {} : { group: inOneRow(group) }),
    ...(variants === undefined
      ? {}
      : { variants: variants.map((one) => ({ ...one, label: inOneRow(one.label) })) }),
  }
  return { ...clean, searched: `${clean.label}\n${clean.group ?? ''}\n${clean.preview}`.toLowerCase() }
}

/** Cleans a text for one row. Keeps leading spaces, which indent a tree. */
function inOneRow(text: string): string {
  return printable(text).replace(/[\t\n]+/g, ' ')
}
