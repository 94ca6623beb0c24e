import type { SessionId } from '../id.ts'
import type { IndexedDocument, Source } from './source.ts'

/** A session as the index knows it: its documents joined. */
export interface KnownSession extends Omit<IndexedDocument, 'from'> {
  /** Its documents, by their source and their number in it. */
  readonly parts: readonly (readonly [source: number, document: number])[]
}

/**
 * Joins the documents of each session, those of later sources last. A document counts if it continues the ones before, or begins the
 * session anew. Others remain of a rewritten file, a process that was killed, or of a lost line before them.
 */
export function joinDocuments(sources: readonly Source[]): ReadonlyMap<SessionId, KnownSession> {
  const sessions = new Map<SessionId, KnownSession>()
  for (const [source, { documents }] of sources.entries()) {
    for (const [number, { from, ...document }] of documents.entries()) {
      const known = sessions.get(document.id)
      const part = [source, number] as const
      if (from === 0) {
        sessions.set(document.id, { ...document, parts: [part] })
      } else if (known?.through === from && known.createdAt === document.createdAt) {
        const length = known.length + document.length
        sessions.set(document.id, { ...document, length, parts: [...known.parts, part] })
      }
    }
  }
  return sessions
}
