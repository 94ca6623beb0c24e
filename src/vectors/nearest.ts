/** Vectors of length 1, one after the other. Holds four rows more than are used, so that none is read beyond the end. */
export interface Rows {
  readonly values: Float32Array
  readonly dimensions: number
}

/** A row near a query. */
export interface NearRow {
  readonly row: number
  /** Cosine of the angle between both. */
  readonly score: number
}

export interface Choice {
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
  rows: Rows,
  query: Float32Array,
  { wanted, limit, idOf }: Choice,
): readonly NearRow[] {
  const even = evened(query)
  const best = new Best(limit, idOf)
  const scores = new Float64Array(4)
  let { least } = best
  for (let row = 0; row < wanted.length; row += 4) {
    if (!isAnyWanted(wanted, row)) continue
    scoreFour(rows, even, row, scores)
    for (let i = 0; i < 4; i++) {
      const score = scores[i] ?? 0
      if (score < least || wanted[row + i] !== 1) continue
      if (score === 0 && isBlank(rows, row + i)) continue
      best.offer({ row: row + i, score })
      least = best.least
    }
  }
  return best.sorted()
}

function isAnyWanted(wanted: Uint8Array, row: number): boolean {
  return wanted[row] === 1 || wanted[row + 1] === 1 || wanted[row + 2] === 1 || wanted[row + 3] === 1
}

function isBlank({ values, dimensions }: Rows, row: number): boolean {
  return values.subarray(row * dimensions, (row + 1) * dimensions).every((value) => value === 0)
}

/** Adds a zero to a query with an odd number of values. */
function evened(query: Float32Array): Float32Array {
  const even = new Float32Array(query.length + (query.length % 2))
  even.set(query)
  return even
}

/**
 * Scores four rows at once, two values of each at a time: half as long as a plain loop takes. Written plainly, as it is nearly all of a
 * search.
 */
function scoreFour(
  { values, dimensions }: Rows,
  query: Float32Array,
  row: number,
  scores: Float64Array,
): void {
  const { length } = query
  const first = row * dimensions
  const second = first + dimensions
  const third = second + dimensions
  const fourth = third + dimensions
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let e = 0
  let f = 0
  let g = 0
  let h = 0
  for (let i = 0; i < length; i += 2) {
    const even = query[i] ?? 0
    const odd = query[i + 1] ?? 0
    a += (values[first + i] ?? 0) * even
    b += (values[second + i] ?? 0) * even
    c += (values[third + i] ?? 0) * even
    d += (values[fourth + i] ?? 0) * even
    e += (values[first + i + 1] ?? 0) * odd
    f += (values[second + i + 1] ?? 0) * odd
    g += (values[third + i + 1] ?? 0) * odd
    h += (values[fourth + i + 1] ?? 0) * odd
  }
  scores[0] = a + e
  scores[1] = b + f
  scores[2] = c + g
  scores[3] = d + h
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
