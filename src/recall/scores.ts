/** The usual constants of BM25+: how much repetition counts, how much length does, and the least that a word adds. */
const k = 1.2
const b = 0.7
const delta = 0.5

/** Adds up the scores of sessions by BM25+. A session is named by its number in the catalog. */
export class Scores {
  /** The sessions with a score, in no order. */
  readonly found: number[] = []
  readonly #lengths: Int32Array
  readonly #includes: (number: number) => boolean
  readonly #scores: Float64Array
  readonly #terms: Int32Array
  /** How often each session holds the word being added; zero between calls. */
  readonly #counts: Int32Array
  readonly #total: number
  readonly #averageLength: number

  /** Scores only the sessions that `includes` accepts. `lengths` are those of all sessions. */
  constructor(lengths: Int32Array, includes: (number: number) => boolean) {
    this.#lengths = lengths
    this.#includes = includes
    this.#scores = new Float64Array(lengths.length)
    this.#terms = new Int32Array(lengths.length)
    this.#counts = new Int32Array(lengths.length)
    const counted = lengths.filter((_, number) => includes(number))
    this.#total = counted.length
    this.#averageLength = counted.reduce((sum, length) => sum + length, 0) / Math.max(1, counted.length)
  }

  /**
   * Adds a word. `postings` has the documents of each source and how often each holds the word; `owners` has their sessions, -1 for
   * none. `term` is the position, from 0 to 30, of the query's term that finds the word.
   */
  add(
    postings: readonly (readonly number[])[],
    owners: readonly Int32Array[],
    { weight, term }: { readonly weight: number; readonly term: number },
  ): void {
    const holders = this.#count(postings, owners)
    const rarity = Math.log(1 + (this.#total - holders.length + 0.5) / (holders.length + 0.5))
    for (const number of holders) {
      const count = this.#counts[number] ?? 0
      const norm = 1 - b + (b * (this.#lengths[number] ?? 0)) / this.#averageLength
      const score = weight * rarity * (delta + (count * (k + 1)) / (count + k * norm))
      if (this.#terms[number] === 0) this.found.push(number)
      this.#scores[number] = (this.#scores[number] ?? 0) + score
      this.#terms[number] = (this.#terms[number] ?? 0) | (1 << term)
      this.#counts[number] = 0
    }
  }

  /** Returns the sum of the scores of a session's words, times the number of terms that it holds. */
  of(number: number): number {
    let count = 0
    for (let terms = this.#terms[number] ?? 0; terms !== 0; terms &= terms - 1) count++
    return (this.#scores[number] ?? 0) * count
  }

  /** Whether a session holds a word that a term finds. */
  holds(number: number, term: number): boolean {
    return ((this.#terms[number] ?? 0) & (1 << term)) !== 0
  }

  /** Sums the counts of each session. Returns the sessions. */
  #count(postings: readonly (readonly number[])[], owners: readonly Int32Array[]): readonly number[] {
    const holders: number[] = []
    for (const [i, list] of postings.entries()) {
      const owned = owners[i] ?? new Int32Array()
      for (let at = 0; at < list.length; at += 2) {
        const number = owned[list[at] ?? -1] ?? -1
        if (number === -1 || !this.#includes(number)) continue
        const before = this.#counts[number] ?? 0
        if (before === 0) holders.push(number)
        this.#counts[number] = before + (list[at + 1] ?? 0)
      }
    }
    return holders
  }
}
