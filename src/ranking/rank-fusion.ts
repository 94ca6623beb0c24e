/**
 * Joins rankings of the same things, each best first, by reciprocal rank fusion: a thing scores 1 / (k + its rank) in each list that has
 * it. Returns each thing once, best first; among equals the one that an earlier list ranks. `k` damps how much the first ranks count.
 */
export function fuseRanks<Item>(lists: readonly (readonly Item[])[], k = 60): readonly Item[] {
  const scores = new Map<Item, number>()
  for (const list of lists) {
    for (const [position, item] of [...new Set(list)].entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (k + position + 1))
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([item]) => item)
}
