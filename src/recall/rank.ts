import { findsLonger } from '../ranking/ranked-words.ts'
import { Scores } from './scores.ts'
import type { Postings, SearchSource } from './search-source.ts'
import type { Catalog } from './segment-catalog.ts'

/** The sessions that hold some of the terms, best first, by their numbers in the catalog. */
export interface RankedSessions {
  readonly numbers: readonly number[]
  /** Returns the terms of the query that a session holds. */
  termsOf(number: number): readonly string[]
}

export interface Ranking {
  readonly sources: readonly SearchSource[]
  readonly catalog: Catalog
  /** Whether to search a session. */
  includes(number: number): boolean
  readonly terms: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Each term has one bit of a number. Further terms are ignored, as the manual says. */
const mostTerms = 31

/** Ranks the sessions that hold any of the terms: by BM25+, the number of terms, and their recency. Throws `SegmentFault`. */
export function rankSessions(ranking: Ranking): RankedSessions {
  const { sources, catalog, now, includes } = ranking
  const terms = ranking.terms.slice(0, mostTerms)
  const scores = new Scores(catalog.lengths, includes)
  for (const [i, term] of terms.entries()) {
    for (const [word, postings] of findWords(sources, term))
      scores.add(postings, catalog.owners, { weight: weightOf(word, term), term: i })
  }
  const timeOf = (number: number) => catalog.times[number] ?? 0
  const worth = new Float64Array(catalog.ids.length)
  for (const number of scores.found) worth[number] = scores.of(number) * recency(timeOf(number), now)
  return {
    numbers: scores.found.sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || timeOf(b) - timeOf(a)),
    termsOf: (number) => terms.filter((_, i) => scores.holds(number, i)),
  }
}

const day = 86_400_000

/** Between 1 and 1.5: decides between sessions that match alike, of which users mean the last. 1.25 after 30 days. */
function recency(time: number, now: number): number {
  const days = Math.max(0, now - time) / day
  return 1 + 0.5 / (1 + days / 30)
}

/** A longer word counts less the longer it is. */
function weightOf(word: string, term: string): number {
  return word === term ? 1 : (0.375 * word.length) / (word.length + 0.3 * (word.length - term.length))
}

/** Documents with a word from which it finds no longer words: they would only add more of the same. */
const common = 100
/** Words that a term finds: the shortest ones, as its inflections are. */
const mostWords = 16

/** The postings of words, those of each source at its position. */
type Words = ReadonlyMap<string, readonly Postings[1][]>

/** Returns the words that a term finds: itself, and longer ones unless it is common. */
function findWords(sources: readonly SearchSource[], term: string): Words {
  const own = postingsOf(sources, term, false)
  const documents = (own.get(term) ?? []).reduce((sum, counts) => sum + counts.length / 2, 0)
  if (documents >= common || !findsLonger(term)) return own
  const all = [...postingsOf(sources, term, true)].sort(([a], [b]) => a.length - b.length)
  return new Map(all.slice(0, mostWords))
}

function postingsOf(sources: readonly SearchSource[], term: string, longer: boolean): Words {
  const words = new Map<string, Postings[1][]>()
  for (const [i, source] of sources.entries()) {
    for (const [word, counts] of source.find(term, longer)) {
      const all = words.get(word) ?? sources.map(() => [])
      all[i] = counts
      words.set(word, all)
    }
  }
  return words
}
