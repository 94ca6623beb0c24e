import { fileError, systemCode } from '../files/system-error.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { RecalledSession, RecallOptions, RecallQuery, RecallResult } from '../recall.ts'
import type { KnownSession } from './catalog.ts'
import { findExcerpt } from './excerpt.ts'
import { IndexFolder } from './folder.ts'
import type { RecallParts } from './parts.ts'
import { type RankedSession, rankSessions } from './rank.ts'
import { type Current, refreshIndex } from './refresh.ts'
import { queryTerms } from './words.ts'

/** What was found, and whether the index should be tidied. */
interface Found {
  readonly result: RecallResult
  readonly isUntidy: boolean
}

/** Searches the index once it agrees with the session files. Throws `aborted`, and the system's reason. */
export async function searchIndex(
  parts: RecallParts,
  { query, ...options }: RecallOptions & { readonly query: RecallQuery },
): Promise<Found> {
  const terms = queryTerms(query.words)
  const folder = new IndexFolder(parts.folder)
  if (terms.length === 0) return { result: { sessions: [], total: 0 }, isUntidy: false }
  for (;;) {
    try {
      const current = await refreshIndex(folder, parts, options)
      const found = rankCurrent(current, query, terms, parts.clock.now())
      const described = found.slice(0, query.limit).map((one) => describe(one, parts, options.signal))
      const sessions = (await Promise.all(described)).filter((one) => one !== undefined)
      const isUntidy = current.gone.size > 0 || current.snapshot.isDamaged
      return { result: { sessions, total: found.length }, isUntidy }
    } catch (error) {
      if (systemCode(error) !== undefined) throw fileError(error, folder.path, 'search')
      folder.noteFault(error)
    }
  }
}

function rankCurrent(
  { sources, catalog, gone }: Current,
  { cwd, since, except }: RecallQuery,
  terms: readonly string[],
  now: number,
): readonly RankedSession[] {
  const includes = ({ last }: KnownSession) =>
    (cwd === undefined || last.cwd === cwd) &&
    (since === undefined || last.at >= since) &&
    last.id !== except &&
    !gone.has(last.id)
  return rankSessions({ sources, catalog, includes, terms, now })
}

/** Reads what is shown of a session. Returns `undefined` if it was deleted meanwhile. */
async function describe({ session, terms }: RankedSession, parts: RecallParts, signal: AbortSignal) {
  const { id } = session.last
  const file = parts.file(id)
  if (file === undefined) return undefined
  const { messages, createdAt, updatedAt, cwd, title, opening } = await parts.read(file, signal)
  const excerpt = findExcerpt(messages, terms, parts.redact)
  const found: RecalledSession = {
    ...{ id, createdAt, updatedAt },
    ...omitUndefined({ cwd, title, opening, excerpt }),
  }
  return found
}
