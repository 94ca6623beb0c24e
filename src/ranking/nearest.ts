/** Finds the candidate with the fewest edits from `word`. Allows at most `mostEdits`, by default a third of its letters. */
export function nearest<T extends string>(
  word: string,
  candidates: readonly T[],
  mostEdits = Math.ceil(word.length / 3),
): T | undefined {
  const ranked = candidates
    .filter(({ length }) => Math.abs(length - word.length) <= mostEdits)
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  const [best] = ranked
  return best !== undefined && best.edits <= mostEdits ? best.candidate : undefined
}

/** Counts the edits between two words: a letter added, removed or replaced, or two neighbours swapped. */
function distance(a: string, b: string): number {
  const [from, to] = [[...a], [...b]]
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of from.entries()) {
    const next = [i + 1]
    for (const [j, other] of to.entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      const isSwapped = j > 0 && letter === to[j - 1] && from[i - 1] === other
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : replaced
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, replaced, swapped))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
