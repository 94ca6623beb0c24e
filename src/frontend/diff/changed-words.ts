import { diffWordsWithSpace } from 'diff'

/** A changed part of a line, from the index `start` to before `end`. */
export interface ChangedPart {
  readonly start: number
  readonly end: number
}

/** The changed parts of a line, in its text before and after. */
interface LineChanges {
  readonly before: readonly ChangedPart[]
  readonly after: readonly ChangedPart[]
}

/** Share of a line that must have stayed for its changed words to be worth marking. */
const leastKept = 0.3

/** Finds the changed words of a line. Finds none if little of the line stayed. */
export function changedWords(before: string, after: string): LineChanges {
  const [old, now]: [ChangedPart[], ChangedPart[]] = [[], []]
  let [oldAt, nowAt, kept] = [0, 0, 0]
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    if (removed) extend(old, { start: oldAt, end: oldAt + value.length })
    else if (added) extend(now, { start: nowAt, end: nowAt + value.length })
    else kept += value.trim().length
    if (!added) oldAt += value.length
    if (!removed) nowAt += value.length
  }
  const longest = Math.max(before.trim().length, after.trim().length)
  return kept < leastKept * longest ? { before: [], after: [] } : { before: old, after: now }
}

/** Adds a part, joined to the last one if that ends where it begins. */
function extend(parts: ChangedPart[], part: ChangedPart): void {
  const last = parts.at(-1)
  if (last?.end === part.start) parts[parts.length - 1] = { start: last.start, end: part.end }
  else parts.push(part)
}
