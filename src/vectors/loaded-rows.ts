import { numbersAtOnce } from './dot-product.ts'
import { countRows, openRowsIfThere, type RowPlace, readRows } from './row-file.ts'
import { VectorMemory } from './vector-memory.ts'

/** Vectors of length 1. */
export interface VectorRows {
  /** Returns the cosine of a row and a query of length 1. Valid until the next query. */
  scoresFor(query: Float32Array): (row: number) => number
  /** Whether a row is all zeros: another process has just removed it. */
  isBlank(row: number): boolean
}

/** The rows of one file in memory. They are read when a search needs them, each once. */
export class LoadedRows {
  #memory: VectorMemory | undefined
  #count = 0

  /** Returns the first `count` rows of the file, or `undefined` if it is gone or shorter. Throws system errors. */
  read(place: RowPlace, count: number): VectorRows | undefined {
    this.#memory ??= new VectorMemory()
    const memory = this.#memory
    if (count > this.#count && !this.#load(memory, place, count)) return undefined
    return rowsIn(memory, place.dimensions)
  }

  #load(memory: VectorMemory, place: RowPlace, count: number): boolean {
    const { dimensions } = place
    const file = openRowsIfThere(place)
    if (file === undefined) return false
    try {
      if (countRows(file, dimensions) < count) return false
      const from = firstRow(dimensions)
      // A product may read on behind the last row.
      memory.reserve(from + count * dimensions + numbersAtOnce)
      const added = memory.values.subarray(from + this.#count * dimensions, from + count * dimensions)
      readRows(file, this.#count, added, dimensions)
      this.#count = count
      return true
    } finally {
      file.close()
    }
  }
}

/** The query comes first in memory, followed by zeros, so that what a product reads behind a row does not count. */
function rowsIn(memory: VectorMemory, dimensions: number): VectorRows {
  const from = firstRow(dimensions)
  return {
    scoresFor(query) {
      memory.values.set(query)
      return (row) => memory.dot(0, from + row * dimensions, from)
    },
    isBlank(row) {
      const start = from + row * dimensions
      return memory.values.subarray(start, start + dimensions).every((value) => value === 0)
    },
  }
}

/** Index of the first row's first number. */
function firstRow(dimensions: number): number {
  return Math.ceil(dimensions / numbersAtOnce) * numbersAtOnce
}
