import MiniSearch from 'minisearch'
import type { KnownSession } from './catalog.ts'
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
  /** The sessions to search. */
  readonly sessions: readonly KnownSession[]
  readonly terms: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Ranks the sessions that hold any of the terms, best first. Throws `SegmentFault`. */
export function rankSessions({ sources, sessions, terms, now }: Ranking): readonly RankedSession[] {
  const index = loadIndex(gatherCounts(sources, sessions, terms), sessions)
  const found = index.search(terms.join(' '), {
    prefix: findsLonger,
    boostDocument: (id) => recency(sessions[Number(id)], now),
  })
  return found.flatMap(({ id, queryTerms }) => {
    const session = sessions[Number(id)]
    return session === undefined ? [] : [{ session, terms: queryTerms }]
  })
}

const day = 86_400_000

/** Between 1 and 1.5: decides between sessions that match alike, of which users mean the last. 1.25 after 30 days. */
function recency(session: KnownSession | undefined, now: number): number {
  const days = Math.max(0, now - (session?.at ?? 0)) / day
  return 1 + 0.5 / (1 + days / 30)
}

type Counts = Record<string, number>

/** Adds up how often each session holds each term, from all sources. Sessions are named by their position in the list. */
function gatherCounts(
  sources: readonly Source[],
  sessions: readonly KnownSession[],
  terms: readonly string[],
): ReadonlyMap<string, Counts> {
  const owners = ownersOf(sources, sessions)
  const all = new Map<string, Counts>()
  for (const [number, source] of sources.entries()) {
    const found = new Map(terms.flatMap((term) => [...source.find(term, findsLonger(term))]))
    for (const [term, postings] of found) {
      const counts = all.get(term) ?? {}
      all.set(term, counts)
      for (let i = 0; i < postings.length; i += 2) {
        const owner = owners[number]?.[postings[i] ?? -1]
        if (owner !== undefined && owner !== -1) counts[owner] = (counts[owner] ?? 0) + (postings[i + 1] ?? 0)
      }
    }
  }
  return all
}

/** Returns the session of each document of each source; -1 for a document of none. */
function ownersOf(sources: readonly Source[], sessions: readonly KnownSession[]): readonly Int32Array[] {
  const owners = sources.map(({ documents }) => new Int32Array(documents.length).fill(-1))
  for (const [i, { parts }] of sessions.entries()) {
    for (const [source, document] of parts) owners[source]?.fill(i, document, document + 1)
  }
  return owners
}

const field = 'text'

/** Builds an index of just these terms, in the form in which MiniSearch stores its own. */
function loadIndex(counts: ReadonlyMap<string, Counts>, sessions: readonly KnownSession[]): MiniSearch {
  const found = new Set([...counts.values()].flatMap(Object.keys))
  const total = sessions.reduce((sum, { length }) => sum + length, 0)
  return MiniSearch.loadJS(
    {
      documentCount: sessions.length,
      nextId: sessions.length,
      documentIds: Object.fromEntries(Array.from(found, (id) => [id, id])),
      fieldIds: { [field]: 0 },
      fieldLength: Object.fromEntries(Array.from(found, (id) => [id, [sessions[Number(id)]?.length ?? 0]])),
      averageFieldLength: [total / Math.max(1, sessions.length)],
      storedFields: {},
      index: Array.from(counts, ([term, byDocument]) => [term, { '0': byDocument }]),
      serializationVersion: 2,
    },
    { fields: [field], tokenize: (text) => text.split(' '), processTerm: (term) => term },
  )
}
