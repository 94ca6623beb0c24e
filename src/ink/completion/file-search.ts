import type { Clock } from '../../clock.ts'
import type { FuzzyFind, FuzzyMatch } from './fuzzy.ts'

/** Most paths that are looked at before keys get their turn: a few milliseconds of work. */
export const sliceSize = 500
/** Paths that are looked at before the time is, and the time in ms after which keys get their turn. */
const stepSize = 100
const longestSlice = 3
/** Most paths that are found. */
export const mostFound = 50

export interface FileSearchOptions {
  readonly find: FuzzyFind
  readonly clock: Pick<Clock, 'sleep' | 'monotonic'>
}

/** Searches many paths, slice by slice, so that no key waits for it. */
export class FileSearch {
  readonly #options: FileSearchOptions

  constructor(options: FileSearchOptions) {
    this.#options = options
  }

  /** Returns the best matches among at most `sliceSize` paths, at once. */
  searchNow(query: string, paths: readonly string[]): readonly FuzzyMatch[] {
    return best(this.#searchStep(normal(query), paths))
  }

  /** Returns the best matches. Rejects with `aborted` when the signal fires. */
  async search(query: string, paths: readonly string[], signal: AbortSignal): Promise<readonly FuzzyMatch[]> {
    const wanted = normal(query)
    const { clock } = this.#options
    let found: readonly FuzzyMatch[] = []
    let [from, since] = [0, clock.monotonic()]
    for (let at = 0; at < paths.length; at += stepSize) {
      if (at === 0 || at - from >= sliceSize || clock.monotonic() - since > longestSlice) {
        await clock.sleep(0, signal)
        from = at
        since = clock.monotonic()
      }
      const more = this.#searchStep(wanted, paths.slice(at, at + stepSize))
      if (more.length > 0) found = best([...found, ...more])
    }
    return found
  }

  #searchStep(query: string, paths: readonly string[]): readonly FuzzyMatch[] {
    const letters = query.replace(/\s/g, '')
    // Most paths lack some letter. To find that out is far cheaper than to measure how well a path matches.
    const candidates = paths.filter((path) =>
      letters.length === 1 ? startsName(path, letters) : hasLetters(path, letters, query.includes(' ')),
    )
    if (candidates.length === 0) return []
    return this.#options
      .find(query, candidates, mostFound)
      .map((match) => ({ ...match, score: weighed(match) }))
  }
}

function normal(query: string): string {
  return query.replace(/^(\.\/)+/, '').toLowerCase()
}

/** Whether the name of a file or folder begins with a letter: nearly every path holds it somewhere. */
function startsName(path: string, letter: string): boolean {
  return path.charAt(nameStart(path)).toLowerCase() === letter
}

/** Whether a path has all letters, in their order unless the query has several words, which come in any. */
function hasLetters(path: string, letters: string, isUnordered: boolean): boolean {
  const text = path.toLowerCase()
  let at = 0
  for (const letter of letters) {
    const found = text.indexOf(letter, isUnordered ? 0 : at)
    if (found === -1) return false
    at = found + letter.length
  }
  return true
}

function nameStart(path: string): number {
  return path.lastIndexOf('/', path.length - 2) + 1
}

/** Prefers a match in the name to one in the folders above it, and what lies near the top. */
function weighed({ target, score, matched }: FuzzyMatch): number {
  const isInName = (matched[0] ?? 0) >= nameStart(target)
  const depth = target.split('/').length
  return score + (isInName ? 0.1 : 0) - 0.005 * Math.min(depth, 20)
}

function best(matches: readonly FuzzyMatch[]): readonly FuzzyMatch[] {
  return matches
    .toSorted(
      (a, b) => b.score - a.score || a.target.length - b.target.length || (a.target < b.target ? -1 : 1),
    )
    .slice(0, mostFound)
}
