import type { VectorMetadata } from '../memory/vector-store.ts'
import type { VectorChange } from './journal-line.ts'

/** The ids and metadata of a store's rows. A row whose vector was replaced or removed is dead. */
export class Entries {
  readonly #ids: string[] = []
  readonly #metadata: VectorMetadata[] = []
  /** The living rows. */
  readonly #rows = new Map<string, number>()
  /** 1 for each living row, else 0. Longer than there are rows. */
  #marks = new Uint8Array(1_024)

  /** Counts rows, dead ones too. */
  get count(): number {
    return this.#ids.length
  }

  get living(): number {
    return this.#rows.size
  }

  /** Applies a change, unless it does not follow the ones before. */
  apply(change: VectorChange): boolean {
    if (change.type === 'remove') {
      for (const id of change.ids) this.#bury(id)
      return true
    }
    if (change.row !== this.count) return false
    for (const [id, metadata] of change.entries) this.#add(id, metadata)
    return true
  }

  id(row: number): string {
    return this.#ids[row] ?? ''
  }

  metadata(row: number): VectorMetadata {
    return this.#metadata[row] ?? {}
  }

  /** Returns the living row of an id. */
  rowOf(id: string): number | undefined {
    return this.#rows.get(id)
  }

  /** Marks the living rows whose metadata has all of these values by 1. */
  matching(filter: VectorMetadata = {}): Uint8Array {
    const marks = this.#marks.slice(0, this.count)
    const wanted = Object.entries(filter)
    if (wanted.length === 0) return marks
    for (const row of marks.keys()) if (marks[row] === 1 && !has(this.metadata(row), wanted)) marks[row] = 0
    return marks
  }

  /** Lists the ids of the living rows whose metadata has all of these values. */
  idsMatching(filter: VectorMetadata): readonly string[] {
    const wanted = Object.entries(filter)
    return [...this.#rows].flatMap(([id, row]) => (has(this.metadata(row), wanted) ? [id] : []))
  }

  #add(id: string, metadata: VectorMetadata): void {
    this.#bury(id)
    const row = this.count
    if (row === this.#marks.length) {
      const longer = new Uint8Array(2 * row)
      longer.set(this.#marks)
      this.#marks = longer
    }
    this.#marks[row] = 1
    this.#rows.set(id, row)
    this.#ids.push(id)
    this.#metadata.push(metadata)
  }

  #bury(id: string): void {
    const row = this.#rows.get(id)
    if (row === undefined) return
    this.#marks[row] = 0
    this.#rows.delete(id)
  }
}

function has(metadata: VectorMetadata, wanted: readonly (readonly [key: string, value: string])[]): boolean {
  for (const [key, value] of wanted) if (metadata[key] !== value) return false
  return true
}
