import { isPipeError } from '../error.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import type { SessionId } from '../id.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { RecalledSession, RecallOptions, RecallQuery, RecallResult } from '../recall.ts'
import { findExcerpt } from './excerpt.ts'
import { IndexFolder } from './folder.ts'
import { headingOf } from './heading.ts'
import type { RecallParts } from './parts.ts'
import { type RankedSessions, rankSessions } from './rank.ts'
import { type Current, refreshIndex } from './refresh.ts'
import { queryTerms } from './words.ts'

/** Holds the result, and tells whether the index should be tidied. */
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
      const current = await refreshIndex(folder, parts, { ...options, except: query.except })
      const found = rankCurrent(current, query, terms, parts.clock.now())
      const described = found.numbers
        .slice(0, query.limit)
        .map((number) => describe(current.catalog.ids[number], found.termsOf(number), parts, options.signal))
      const sessions = (await Promise.all(described)).filter((one) => one !== undefined)
      const isUntidy = current.gone.size > 0 || current.snapshot.isDamaged
      return { result: { sessions, total: found.numbers.length }, isUntidy }
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
): RankedSessions {
  const { ids, times, folders, folderOf } = catalog
  const isHidden = (id: SessionId | undefined) => id === undefined || id === except || gone.has(id)
  const folder = cwd === undefined ? undefined : folders.indexOf(cwd)
  const includes = (number: number) =>
    (folder === undefined || folderOf[number] === folder) &&
    (since === undefined || (times[number] ?? 0) >= since) &&
    !isHidden(ids[number])
  return rankSessions({ sources, catalog, includes, terms, now })
}

/** Reads what is shown of a session. Returns `undefined` if it was deleted or closed to us meanwhile. */
async function describe(
  id: SessionId | undefined,
  terms: readonly string[],
  { file: find, read, redact }: RecallParts,
  signal: AbortSignal,
): Promise<RecalledSession | undefined> {
  const file = id && find(id)
  if (file === undefined) return undefined
  try {
    const session = await read(file, signal)
    const { createdAt, updatedAt, cwd, messages } = session
    const excerpt = findExcerpt(messages, terms, redact)
    return {
      ...{ id: file.id, createdAt, updatedAt, size: file.size },
      ...headingOf(session, redact),
      ...omitUndefined({ cwd, excerpt }),
    }
  } catch (error) {
    if (!isPipeError(error) || error.code === 'aborted') throw error
    return undefined
  }
}
