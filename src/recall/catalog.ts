import type { SessionId } from '../id.ts'
import type { IndexedDocument, Source } from './source.ts'

/** A session as the index knows it: its documents joined. */
export interface KnownSession {
  /** The position in the catalog. */
  readonly number: number
  readonly last: IndexedDocument
  /** The sum of its documents' lengths. */
  readonly length: number
}

/** All sessions that the index knows, by id in the order of their numbers. */
export interface Catalog {
  readonly sessions: ReadonlyMap<SessionId, KnownSession>
  /** The number of the session that each document of each source belongs to; -1 if the document does not count. */
  readonly owners: readonly Int32Array[]
}

/**
 * Joins the documents of each session, those of later sources last. A document counts if it continues the ones before, or begins the
 * session anew. Others remain of a rewritten file, a process that was killed, or of a lost line before them.
 */
export function joinDocuments(sources: readonly Source[]): Catalog {
  const sessions = new Map<SessionId, KnownSession>()
  const owners = sources.map(({ documents }) => new Int32Array(documents.length).fill(-1))
  for (const [i, { documents }] of sources.entries()) {
    const owned = owners[i] ?? new Int32Array()
    documents.forEach((document, position) => {
      const known = sessions.get(document.id)
      const isContinued = known !== undefined && continues(document, known.last)
      if (document.from !== 0 && !isContinued) return
      if (known !== undefined && !isContinued) disown(owners, known.number)
      const number = known?.number ?? sessions.size
      const length = document.length + (isContinued ? known.length : 0)
      sessions.set(document.id, { number, last: document, length })
      owned[position] = number
    })
  }
  return { sessions, owners }
}

function continues({ from, createdAt }: IndexedDocument, last: IndexedDocument): boolean {
  return from !== 0 && from === last.through && createdAt === last.createdAt
}

function disown(owners: readonly Int32Array[], number: number): void {
  for (const list of owners) {
    for (let at = list.indexOf(number); at !== -1; at = list.indexOf(number, at)) list[at] = -1
  }
}
