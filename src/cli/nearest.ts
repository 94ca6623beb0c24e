/** The candidate with the fewest edits to `word`, if it is close enough to be meant. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  const [best] = ranked
  return best !== undefined && best.edits <= Math.ceil(word.length / 3) ? best.candidate : undefined
}

/** Levenshtein distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const substitution = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
