import { PipeError } from '../error.ts'
import { addItems, openPicker, type PickerItem } from './picker.ts'
import type { Store } from './store.ts'

/** A list to choose from, and what to do with the choice. */
export interface Choosing {
  readonly title: string
  /** First words of the filter. */
  readonly filter?: string | undefined
  readonly items: AsyncIterable<PickerItem> | Iterable<PickerItem>
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
    this.#open = choosing
    this.#store.dispatch({ type: 'picker', picker: openPicker(choosing.title, choosing.filter) })
    try {
      for await (const batch of inBatches(choosing.items)) {
        const { picker } = this.#store.screen
        if (this.#open !== choosing || picker === undefined) return
        this.#store.dispatch({ type: 'picker', picker: addItems(picker, batch) })
      }
      const { picker } = this.#store.screen
      if (this.#open !== choosing || picker === undefined) return
      if (picker.items.length === 0) throw new PipeError('input', choosing.none)
      this.#store.dispatch({ type: 'picker', picker: { ...picker, isLoading: false } })
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
    this.#store.dispatch({ type: 'picker', picker: undefined })
  }
}

/** Groups items, each group up to twice as large as the one before, which bounds the cost of growing a list. */
async function* inBatches<T>(
  items: AsyncIterable<T> | Iterable<T>,
): AsyncGenerator<readonly T[], undefined, undefined> {
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
