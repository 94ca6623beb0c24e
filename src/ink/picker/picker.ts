import { printable } from '../../terminal/printable.ts'
import { emptyPrompt, insertText, type Prompt } from '../prompt/prompt.ts'
import { columnsOf } from '../rows/columns.ts'
import { type Matcher, wordMatcher } from './matcher.ts'
import { bestOf, isRanked, matching } from './matching.ts'
import { inOneRow, type PickerItem, type Searchable, searchable, sorted } from './picker-item.ts'

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
  /** One item in a word, such as `model`, for the count. Default: the count has no word. */
  readonly noun?: string | undefined
  /** Words of the row that stands for the folded items. Default: none is folded. */
  readonly fold?: ((folded: readonly PickerItem[]) => string) | undefined
  /** Names of the orders, one for each of an item's `sortKeys`. The first is that in which the items come. Default: there is only that. */
  readonly orders?: readonly string[] | undefined
  /** Whether a label has its room before the facts. Default: the facts do. */
  readonly keepsLabels?: boolean | undefined
}

/** A list to choose from, with a filter. */
export interface Picker extends Omit<PickerOptions, 'filter'> {
  readonly title: string
  /** Whether items are still being read. */
  readonly isLoading: boolean
  /** The words that each item found must contain. */
  readonly filter: Prompt
  readonly matcher: Matcher
  /** Position of the current order among `orders`. */
  readonly order: number
  /** Whether the folded items are shown too. */
  readonly isUnfolded: boolean
  /** All items in the current order, each with its text to search. */
  readonly items: readonly Searchable[]
  /** The items that the filter matches, in the order in which they are shown. The last one may stand for the folded ones. */
  readonly found: readonly Searchable[]
  /** Position of the focused item among those found. */
  readonly focus: number
  /** Positions of the forms that the user chose, by item. */
  readonly variants: ReadonlyMap<string, number>
  /** Width of each fact in columns, over all items. */
  readonly widths: readonly number[]
  readonly hasPreview: boolean
}

/** Longest filter in characters: it is one row, and a paste may be huge. */
const longestFilter = 200

/** Creates a picker without items, to be filled by `addItems`. */
export function openPicker(title: string, { filter = '', ...options }: PickerOptions = {}): Picker {
  return {
    ...options,
    title: inOneRow(title),
    isLoading: true,
    filter: insertText(emptyPrompt, inOneRow(filter).slice(0, longestFilter)),
    matcher: wordMatcher,
    order: 0,
    isUnfolded: false,
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
  const more = added.map(searchable)
  const widths = [...picker.widths]
  for (const { facts = [] } of more) {
    for (const [i, fact] of facts.entries()) widths[i] = Math.max(widths[i] ?? 0, columnsOf(fact))
  }
  const all = [...picker.items, ...more]
  const grown = {
    ...picker,
    items: picker.order === 0 ? all : sorted(all, picker.order),
    widths,
    hasPreview:
      picker.hasPreview || more.some(({ preview, sample }) => preview !== '' || sample !== undefined),
  }
  // Items come in any order of merit, so a ranked list has to be ranked again.
  if (isRanked(picker)) return { ...grown, ...rankedAgain(grown) }
  const found = shownItems(grown)
  const wanted = more.find(({ isFocused }) => isFocused === true)?.id
  const focus = positionOf(found, wanted) ?? positionOf(found, chosenBefore(picker)) ?? 0
  return { ...grown, found, focus }
}

/** Ends the reading of items. A list of folded items only is shown at once. */
export function loaded(picker: Picker): Picker {
  const whole = { ...picker, isLoading: false }
  return whole.found.every(({ isFold }) => isFold === true) ? unfolded(whole) : whole
}

/** Shows the folded items too, and moves the focus to the first of them. */
export function unfolded(picker: Picker): Picker {
  const open = { ...picker, isUnfolded: true }
  const found = shownItems(open)
  const first = found.findIndex(({ isFolded }) => isFolded === true)
  return { ...open, found, focus: Math.max(0, first) }
}

/** Sorts the list in the next of its orders, and moves the focus to the top. */
export function reordered(picker: Picker): Picker {
  const order = nextOrder(picker)
  const next = { ...picker, order, items: sorted(picker.items, order) }
  return { ...next, found: shownItems(next), focus: 0 }
}

/** Returns the position of the order that follows the current one. */
export function nextOrder({ order, orders = [] }: Picker): number {
  return (order + 1) % Math.max(1, orders.length)
}

/** Replaces all items, and keeps the focus on its item. */
export function replaceItems(picker: Picker, items: readonly PickerItem[]): Picker {
  const filled = addItems({ ...picker, items: [], found: [], widths: [], hasPreview: false }, items)
  const last = Math.max(0, filled.found.length - 1)
  const kept = positionOf(filled.found, picker.found[picker.focus]?.id)
  return { ...filled, focus: kept ?? Math.min(picker.focus, last) }
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

/** Applies a filter that was edited, if it is not too long. */
export function filtered(picker: Picker, filter: Prompt): Picker {
  if (filter.text.length > longestFilter) return picker
  return filter.text === picker.filter.text ? { ...picker, filter } : refiltered(picker, filter)
}

/** Applies a filter. The focus goes to the best match; in a list that keeps its order it stays on its item if that still matches. */
function refiltered(picker: Picker, filter: Prompt): Picker {
  const next = { ...picker, filter }
  const found = shownItems(next)
  const kept = isRanked(next) ? undefined : positionOf(found, chosenBefore(picker))
  return { ...next, found, focus: kept ?? bestOf(found, next) }
}

function rankedAgain(picker: Picker): Pick<Picker, 'found' | 'focus'> {
  const matched = shownItems(picker)
  const focused = picker.found[picker.focus]
  if (focused === undefined) return { found: matched, focus: 0 }
  const kept = positionOf(matched, focused.id)
  // A better match that comes late does not take the focused item from under the user's finger.
  return kept === undefined ? { found: [focused, ...matched], focus: 0 } : { found: matched, focus: kept }
}

/** Returns the items that the filter matches. Without a filter, one row stands for those that are folded. */
function shownItems(picker: Picker): readonly Searchable[] {
  const { items, filter, fold, isUnfolded } = picker
  const matched = matching(items, picker)
  if (fold === undefined || isUnfolded || filter.text.trim() !== '') return matched
  const folded = matched.filter(({ isFolded }) => isFolded === true)
  if (folded.length === 0) return matched
  const row = { ...searchable({ id: foldId, label: fold(folded) }), isFold: true }
  return [...matched.filter(({ isFolded }) => isFolded !== true), row]
}

/** Id of the row that stands for the folded items. */
const foldId = ''

/** Returns the id of the focused item; `undefined` for the row of the folded ones while nothing else was there to choose. */
function chosenBefore({ found, focus }: Picker): string | undefined {
  const focused = found[focus]
  return focused?.isFold === true && found.length === 1 ? undefined : focused?.id
}

function positionOf(items: readonly Searchable[], id: string | undefined): number | undefined {
  const at = id === undefined ? -1 : items.findIndex((item) => item.id === id)
  return at === -1 ? undefined : at
}
