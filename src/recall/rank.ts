import MiniSearch from 'minisearch'
import type { Catalog, KnownSession } from './catalog.ts'
import type { Source } from './source.ts'
import { findsLonger } from './words.ts'

/** A session that holds some of the terms. */
export interface RankedSession {
  readonly session: KnownSession
  /** The terms of the query that it holds. */
  readonly terms: readonly string[]
}

interface Ranking {
  readonly sources: readonly Source[]
  readonly catalog: Catalog
  /** Whether to search a session. */
  includes(session: KnownSession): boolean
  readonly terms: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Ranks the sessions that hold any of the terms, best first. Throws `SegmentFault`. */
export function rankSessions(ranking: Ranking): readonly RankedSession[] {
  const { catalog, terms, now } = ranking
  const sessions = Array.from(catalog.sessions.values(), (one) => (ranking.includes(one) ? one : undefined))
  const index = loadIndex(gatherCounts(ranking, sessions), sessions)
  const found = index
    .search(terms.join(' '), { prefix: findsLonger })
    .flatMap(({ id, score, queryTerms }) => {
      const session = sessions[id]
      return session === undefined
        ? []
        : [{ session, terms: queryTerms, score: score * recency(session, now) }]
    })
  return found.sort((a, b) => b.score - a.score || b.session.last.at - a.session.last.at)
}

const day = 86_400_000

/** Between 1 and 1.5: decides between sessions that match alike, of which users mean the last. 1.25 after 30 days. */
function recency({ last }: KnownSession, now: number): number {
  const days = Math.max(0, now - last.at) / day
  return 1 + 0.5 / (1 + days / 30)
}

/** How often each session holds a term, by its number. */
type Counts = Record<number, number>

/** The sessions by number, without those that are not searched. */
type Searched = readonly (KnownSession | undefined)[]

/** Adds up how often each session holds each term, from all sources. */
function gatherCounts({ sources, catalog, terms }: Ranking, sessions: Searched): ReadonlyMap<string, Counts> {
  const all = new Map<string, Counts>()
  for (const [i, found] of findPostings(sources, terms).entries()) {
    const owners = catalog.owners[i] ?? new Int32Array()
    for (const [term, postings] of found) {
      const counts = all.get(term) ?? {}
      all.set(term, counts)
      for (let at = 0; at < postings.length; at += 2) {
        const owner = owners[postings[at] ?? -1] ?? -1
        if (sessions[owner] !== undefined) counts[owner] = (counts[owner] ?? 0) + (postings[at + 1] ?? 0)
      }
    }
  }
  return all
}

/** Documents with a word from which it finds no longer words: they would only add more of the same. */
const common = 100
/** Longer words that a word finds: the shortest ones, as its inflections are. */
const mostLonger = 16

/** Returns the postings of the terms and of longer words in each source. */
function findPostings(sources: readonly Source[], terms: readonly string[]) {
  const found = sources.map((source) => new Map(terms.flatMap((term) => [...source.find(term, false)])))
  for (const term of terms) {
    const documents = found.reduce((sum, one) => sum + (one.get(term)?.length ?? 0) / 2, 0)
    if (documents >= common || !findsLonger(term)) continue
    for (const [i, source] of sources.entries()) {
      const longer = [...source.find(term, true)].sort(([a], [b]) => a.length - b.length)
      for (const [word, postings] of longer.slice(0, mostLonger)) found[i]?.set(word, postings)
    }
  }
  return found
}

const field = 'text'

/** Builds an index of just these terms, in the form in which MiniSearch stores its own. */
function loadIndex(counts: ReadonlyMap<string, Counts>, sessions: Searched): MiniSearch {
  const documentIds: Record<number, number> = {}
  const fieldLength: Record<number, number[]> = {}
  for (const byNumber of counts.values()) {
    for (const key of Object.keys(byNumber)) {
      const number = Number(key)
      documentIds[number] = number
      fieldLength[number] ??= [sessions[number]?.length ?? 0]
    }
  }
  const searched = sessions.filter((session) => session !== undefined)
  const total = searched.reduce((sum, { length }) => sum + length, 0)
  return MiniSearch.loadJS(
    {
      ...{ documentCount: searched.length, nextId: sessions.length, documentIds, fieldLength },
      fieldIds: { [field]: 0 },
      averageFieldLength: [total / Math.max(1, searched.length)],
      storedFields: {},
      index: Array.from(counts, ([term, byNumber]) => [term, { '0': byNumber }]),
      serializationVersion: 2,
    },
    { fields: [field], tokenize: (text) => text.split(' '), processTerm: (term) => term },
  )
}
