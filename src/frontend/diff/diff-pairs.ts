import type { DiffRow } from './diff-rows.ts'

/** Longest line whose changed words are marked, in characters. */
const mostCompared = 500

/** Pairs each removed line with the added line in its place, where as many lines are added as removed. Leaves out long lines. */
export function pairRows(rows: readonly DiffRow[]): ReadonlyMap<DiffRow, DiffRow> {
  const pairs = new Map<DiffRow, DiffRow>()
  for (let at = 0; at < rows.length; ) {
    const removed = run(rows, at, '-')
    const added = run(rows, at + removed.length, '+')
    at += Math.max(1, removed.length + added.length)
    if (removed.length !== added.length) continue
    for (const [i, old] of removed.entries()) {
      const now = added[i]
      if (now === undefined || Math.max(old.text.length, now.text.length) > mostCompared) continue
      pairs.set(old, now).set(now, old)
    }
  }
  return pairs
}

function run(rows: readonly DiffRow[], start: number, mark: DiffRow['mark']): readonly DiffRow[] {
  let end = start
  while (rows[end]?.mark === mark) end++
  return rows.slice(start, end)
}
