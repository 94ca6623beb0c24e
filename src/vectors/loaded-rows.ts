import { systemCode } from '../files/system-error.ts'
import type { Rows } from './nearest.ts'
import { countRows, openRows, type RowPlace, readRows } from './row-file.ts'

/** Rows more than are used, which a search may touch. */
const spare = 4

/** The rows of one file in memory. They are read when a search needs them, each once. */
export class LoadedRows {
  #values = new Float32Array()
  #count = 0

  /** Returns the first `count` rows of the file, or `undefined` if it is gone or shorter. Throws system errors. */
  read(place: RowPlace, count: number): Rows | undefined {
    const { dimensions } = place
    if (count > this.#count && !this.#load(place, count)) return undefined
    return { values: this.#values, dimensions }
  }

  #load(place: RowPlace, count: number): boolean {
    const { dimensions } = place
    const file = openIfThere(place)
    if (file === undefined) return false
    try {
      if (countRows(file, dimensions) < count) return false
      this.#reserve((count + spare) * dimensions)
      const added = this.#values.subarray(this.#count * dimensions, count * dimensions)
      readRows(file, this.#count, added, dimensions)
      this.#count = count
      return true
    } finally {
      file.close()
    }
  }

  /** Grows by half at least, so that rows that come one by one are not copied each time. */
  #reserve(length: number): void {
    if (length <= this.#values.length) return
    const grown = new Float32Array(Math.max(length, this.#values.length * 1.5))
    grown.set(this.#values)
    this.#values = grown
  }
}

function openIfThere(place: RowPlace) {
  try {
    return openRows(place, 'read')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
