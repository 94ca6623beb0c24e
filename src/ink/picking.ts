import { PipeError } from '../error.ts'
import { addItems, openPicker, type Picker, type PickerItem } from './picker.ts'
import type { Store } from './store.ts'

/** A list to choose from, and what to do with the choice. */
export interface Choosing {
  readonly title: string
  /** First words of the filter. */
  readonly filter?: string | undefined
  /** Items that are known are shown at once, so that no key falls between. */
  readonly items: AsyncIterable<PickerItem> | readonly PickerItem[]
  /** Error to report if there are no items. */
  readonly none: string
  readonly onChosen: (id: string) => void | Promise<void>
}

/** Most items that are added at once, and the number at first, so that the first ones appear early. */
const largestBatch = 1_000
const firstBatch = 20

/** Shows lists to choose from, one at a time. */
export class Picking {
  readonly #store: Store
  #open: Choosing | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Opens a list at once and fills it; it replaces an open one. Throws `input` if it has no items, and what reading them throws. */
  async open(choosing: Choosing): Promise<void> {
    const { title, filter, items, none } = choosing
    this.#open = choosing
    const known = isList(items) ? items : []
    this.#show(addItems(openPicker(title, filter), known))
    try {
      for await (const batch of isList(items) ? [] : inBatches(items)) {
        const { picker } = this.#store.screen
        if (this.#open !== choosing || picker === undefined) return
        this.#show(addItems(picker, batch))
      }
      const { picker } = this.#store.screen
      if (this.#open !== choosing || picker === undefined) return
      if (picker.items.length === 0) throw new PipeError('input', none)
      this.#show({ ...picker, isLoading: false })
    } catch (error) {
      if (this.#open === choosing) this.close()
      throw error
    }
  }

  /** Closes the list and uses the choice. */
  choose(id: string): void | Promise<void> {
    const chosen = this.#open
    this.close()
    return chosen?.onChosen(id)
  }

  /** Closes the list, if one is open. */
  close(): void {
    if (this.#open === undefined) return
    this.#open = undefined
    this.#show(undefined)
  }

  #show(picker: Picker | undefined): void {
    this.#store.dispatch({ type: 'picker', picker })
  }
}

function isList(items: Choosing['items']): items is readonly PickerItem[] {
  return Array.isArray(items)
}

/** Groups items, each group up to twice as large as the one before, which bounds the cost of growing a list. */
async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[], undefined, undefined> {
  let size = firstBatch
  let batch: T[] = []
  for await (const item of items) {
    if (batch.push(item) < size) continue
    yield batch
    batch = []
    size = Math.min(2 * size, largestBatch)
  }
  yield batch
}
