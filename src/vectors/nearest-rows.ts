import type { VectorRows } from './loaded-rows.ts'

/** A row near a query. */
export interface NearRow {
  readonly row: number
  /** Cosine of the angle between both. */
  readonly score: number
}

export interface NearestChoice {
  /** 1 for each row to compare, else 0. */
  readonly wanted: Uint8Array
  /** Maximum number of rows to return. */
  readonly limit: number
  idOf(row: number): string
}

/**
 * Finds the wanted rows that are nearest to a query of length 1, the nearest first; among equals that whose id is smaller. Skips rows of
 * zeros, which another process has just removed.
 */
export function nearestRows(
  rows: VectorRows,
  query: Float32Array,
  { wanted, limit, idOf }: NearestChoice,
): readonly NearRow[] {
  const best = new Best(limit, idOf)
  const scoreOf = rows.scoresFor(query)
  let { least } = best
  for (let row = 0; row < wanted.length; row++) {
    if (wanted[row] !== 1) continue
    const score = scoreOf(row)
    // Damaged numbers may give none at all.
    if (score < least || Number.isNaN(score) || (score === 0 && rows.isBlank(row))) continue
    best.offer({ row, score })
    least = best.least
  }
  return best.sorted()
}

/** Keeps the best rows in a heap, the worst of them on top. */
class Best {
  readonly #limit: number
  readonly #idOf: (row: number) => string
  readonly #heap: NearRow[] = []

  constructor(limit: number, idOf: (row: number) => string) {
    this.#limit = limit
    this.#idOf = idOf
  }

  /** A row with a lower score is not among the best. */
  get least(): number {
    const [worst] = this.#heap
    return worst === undefined || this.#heap.length < this.#limit ? Number.NEGATIVE_INFINITY : worst.score
  }

  offer(one: NearRow): void {
    const [worst] = this.#heap
    if (this.#heap.length < this.#limit) this.#rise(one)
    else if (worst !== undefined && this.#isWorse(worst, one)) this.#sink(one)
  }

  sorted(): readonly NearRow[] {
    return this.#heap.toSorted((a, b) => (this.#isWorse(a, b) ? 1 : -1))
  }

  #isWorse(a: NearRow, b: NearRow): boolean {
    return a.score === b.score ? this.#idOf(a.row) > this.#idOf(b.row) : a.score < b.score
  }

  /** Adds a row at the end, and moves it up past better ones. */
  #rise(one: NearRow): void {
    let at = this.#heap.push(one) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = this.#heap[above]
      if (parent === undefined || !this.#isWorse(one, parent)) break
      this.#heap[at] = parent
      at = above
    }
    this.#heap[at] = one
  }

  /** Puts a row in the place of the worst, and moves it down past worse ones. */
  #sink(one: NearRow): void {
    let at = 0
    for (;;) {
      const below = this.#worseChild(at)
      const child = this.#heap[below]
      if (child === undefined || !this.#isWorse(child, one)) break
      this.#heap[at] = child
      at = below
    }
    this.#heap[at] = one
  }

  #worseChild(at: number): number {
    const left = 2 * at + 1
    const [a, b] = [this.#heap[left], this.#heap[left + 1]]
    return a !== undefined && b !== undefined && this.#isWorse(b, a) ? left + 1 : left
  }
}
