import { PipeError, unreachable } from '../../error.ts'
import type { Store } from '../store.ts'
import {
  addItems,
  loaded,
  openPicker,
  type Picker,
  type PickerOptions,
  replaceItems,
  withMatcher,
  withPreview,
} from './picker.ts'
import type { PickerItem } from './picker-item.ts'
import type { PickerAction } from './picker-keys.ts'

/** A list to choose from, and what to do with the choice. */
export interface Choosing extends PickerOptions {
  readonly title: string
  /** Items that are known are shown at once, so that no key falls between; so is each list that is yielded. */
  readonly items: AsyncIterable<PickerItem | readonly PickerItem[]> | readonly PickerItem[]
  /** Error to report if there are no items. */
  readonly none: string
  readonly onChosen: (id: string) => void | Promise<void>
  /** Called with each item that gets the focus, the first one too. */
  readonly onFocused?: (id: string) => void | Promise<void>
  /** Called at Tab if `tab` names another list, with the filter. */
  readonly onTab?: (filter: string) => void | Promise<void>
  /** Called instead of an error if there are no items. */
  readonly onEmpty?: () => void | Promise<void>
  /** Called if the list is closed without a choice. */
  readonly onLeft?: () => void
  /** Called for a letter of `verbs`. */
  readonly onVerb?: (verb: string, id: string) => void | Promise<void>
}

/** Most items that are added at once, and the number at first, so that the first ones appear early. */
const largestBatch = 1_000
const firstBatch = 20

/** Shows lists to choose from, one at a time. */
export class Picking {
  readonly #store: Store
  #open: Choosing | undefined
  /** The item that `onFocused` was last called with. */
  #focused: string | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Opens a list at once and fills it; it replaces an open one. Throws `input` if it has no items, and what reading them throws. */
  async open(choosing: Choosing): Promise<void> {
    this.close()
    const { title, items, none } = choosing
    this.#open = choosing
    const known = isList(items) ? items : []
    this.#focused = undefined
    this.#show(addItems(openPicker(title, optionsOf(choosing)), known))
    const matching = this.#matchBetter(choosing)
    // The list is filled while the first item is described.
    let telling = this.#tellFocus() ?? undefined
    try {
      for await (const batch of isList(items) ? [] : inBatches(items)) {
        const { picker } = this.#store.screen
        if (this.#open !== choosing || picker === undefined) return
        if (batch.length > 0) this.#show(addItems(picker, batch))
        telling ??= this.#tellFocus() ?? undefined
      }
      const { picker } = this.#store.screen
      if (this.#open !== choosing || picker === undefined) return
      if (picker.items.length === 0) {
        if (choosing.onEmpty === undefined) throw new PipeError('input', none)
        return await choosing.onEmpty()
      }
      this.#show(loaded(picker))
      telling ??= this.#tellFocus() ?? undefined
      await Promise.all([matching, telling])
    } catch (error) {
      if (this.#open === choosing) this.close()
      throw error
    }
  }

  /** Does what a key of the open list asks for. */
  act(action: Exclude<PickerAction, { readonly type: 'nothing' }>): void | Promise<void> {
    switch (action.type) {
      case 'change_picker':
        return this.#change(action.picker)
      case 'pick':
        return this.#choose(action.id)
      case 'use_item':
        return this.#open?.onVerb?.(action.verb, action.id)
      case 'next_list':
        return this.#open?.onTab?.(this.#store.screen.picker?.filter.text ?? '')
      case 'cancel_pick':
        return this.close()
      default:
        return unreachable(action)
    }
  }

  #change(picker: Picker): void | Promise<void> {
    this.#show(picker)
    return this.#tellFocus()
  }

  /** Gives an item of the open list another preview. */
  describe(id: string, preview: string): void {
    const { picker } = this.#store.screen
    if (this.#open !== undefined && picker !== undefined) this.#show(withPreview(picker, id, preview))
  }

  /** Replaces the items of the list, unless another one is open by now. Closes it if there are none. */
  replace(choosing: Choosing, items: readonly PickerItem[]): void {
    const { picker } = this.#store.screen
    if (this.#open !== choosing || picker === undefined) return
    if (items.length === 0) this.close()
    else this.#show(replaceItems(picker, items))
  }

  /** Whether this list is open. */
  isOpen(choosing: Choosing): boolean {
    return this.#open === choosing
  }

  /** Closes the list and uses the choice. */
  #choose(id: string): void | Promise<void> {
    const chosen = this.#open
    this.dismiss()
    return chosen?.onChosen(id)
  }

  /** Closes the list for something else, as if it had not been opened. */
  dismiss(): void {
    if (this.#open === undefined) return
    this.#open = undefined
    this.#show(undefined)
  }

  /** Closes the list, if one is open. */
  close(): void {
    const left = this.#open
    this.dismiss()
    left?.onLeft?.()
  }

  /** Loads the fuzzy matcher. Until then, words are searched for. */
  async #matchBetter(choosing: Choosing): Promise<void> {
    const { fuzzyMatcher } = await import('../completion/fuzzy-matcher.ts')
    const { picker } = this.#store.screen
    if (this.#open === choosing && picker !== undefined) this.#show(withMatcher(picker, fuzzyMatcher))
  }

  #tellFocus(): void | Promise<void> {
    const { picker } = this.#store.screen
    const { id, isFold = false } = picker?.found[picker.focus] ?? {}
    if (id === undefined || isFold || id === this.#focused) return
    this.#focused = id
    return this.#open?.onFocused?.(id)
  }

  #show(picker: Picker | undefined): void {
    this.#store.dispatch({ type: 'picker', picker })
  }
}

/** Returns what the screen must know of a list. */
function optionsOf({
  filter,
  keepsOrder,
  keepsLabels,
  verbs,
  tab,
  enter,
  noun,
  fold,
  orders,
}: PickerOptions): PickerOptions {
  return { filter, keepsOrder, keepsLabels, verbs, tab, enter, noun, fold, orders }
}

function isList(items: Choosing['items']): items is readonly PickerItem[] {
  return Array.isArray(items)
}

/** Groups items, each group up to twice as large as the one before, which bounds the cost of growing a list. */
async function* inBatches(
  items: AsyncIterable<PickerItem | readonly PickerItem[]>,
): AsyncGenerator<readonly PickerItem[], undefined, undefined> {
  let size = firstBatch
  let batch: PickerItem[] = []
  for await (const item of items) {
    if ('id' in item) {
      if (batch.push(item) < size) continue
    } else batch.push(...item)
    yield batch
    batch = []
    size = Math.min(2 * size, largestBatch)
  }
  yield batch
}
