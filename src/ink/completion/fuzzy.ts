/** A text that was found, the best with the highest score (0 to 1), and the indexes of its matched characters, ascending. */
export interface FuzzyMatch {
  readonly target: string
  readonly score: number
  readonly matched: readonly number[]
}

/** Returns the best matches of a query, the best first, at most `limit`. The cost grows with the number of targets. */
export type FuzzyFind = (query: string, targets: readonly string[], limit: number) => readonly FuzzyMatch[]

/** Scattered letters of a long text score less, and are no match. */
const leastScore = 0.15

/** Loads the fuzzy search. */
export async function loadFuzzy(): Promise<FuzzyFind> {
  const { go, prepare } = await import('fuzzysort')
  return (query, targets, limit) => {
    // Texts that are not prepared would stay in a cache for good.
    const prepared = targets.map((target) => prepare(target))
    const found = go(query, prepared, { limit, threshold: leastScore })
    return found.map(({ target, score, indexes }) => ({ target, score, matched: indexes }))
  }
}
