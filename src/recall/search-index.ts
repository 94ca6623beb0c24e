import { isPipeError, isSurvivable } from '../error.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import type { SessionId } from '../id.ts'
import type {
  RecalledSession,
  RecallLack,
  RecallOptions,
  RecallQuery,
  RecallResult,
} from '../memory/recall.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { fuseRanks } from '../ranking/rank-fusion.ts'
import { queryTerms } from '../ranking/ranked-words.ts'
import { IndexFolder } from './folder.ts'
import { headingOf } from './heading.ts'
import type { Meaning, NearQuery, NearSession } from './meaning/meaning.ts'
import { findExcerpt, messageStart } from './message-excerpt.ts'
import { rankSessions } from './rank.ts'
import { type Current, refreshIndex } from './refresh.ts'
import type { RecallParts } from './spoken-parts.ts'

/** Holds the result, and tells whether the index should be tidied. */
interface Found {
  readonly result: RecallResult
  readonly isUntidy: boolean
}

export interface Searching extends RecallOptions {
  readonly query: RecallQuery
  /** Opens the search by meaning, or says why there is none. */
  openMeaning(): Promise<Meaning | RecallLack>
}

/** Searches the index once it agrees with the session files. Throws `aborted`, and the system's reason. */
export async function searchIndex(
  parts: RecallParts,
  { query, openMeaning, ...options }: Searching,
): Promise<Found> {
  const terms = queryTerms(query.words)
  const folder = new IndexFolder(parts.folder)
  if (terms.length === 0) return { result: { sessions: [], total: 0, ranking: 'words' }, isUntidy: false }
  for (;;) {
    try {
      const current = await refreshIndex(folder, parts, { ...options, except: query.except })
      const { sources, catalog } = current
      const includes = filterFor(current, query)
      const byWords = rankSessions({ sources, catalog, includes, terms, now: parts.clock.now() })
      const byMeaning = await findNear({ query, current, includes }, { ...options, openMeaning, folder })
      const { near, lack } = byMeaning
      const numbers = fuseRanks([byWords.numbers, near.map(({ number }) => number)])
      const described = numbers.slice(0, query.limit).map((number) =>
        describe(catalog.ids[number], parts, {
          terms: byWords.termsOf(number),
          messageId: near.find((one) => one.number === number)?.messageId,
          signal: options.signal,
        }),
      )
      const sessions = (await Promise.all(described)).filter((one) => one !== undefined)
      const isUntidy = current.gone.size > 0 || current.snapshot.isDamaged
      const ranking = lack === undefined ? 'words_and_meaning' : 'words'
      return {
        result: { sessions, total: numbers.length, ranking, lack },
        isUntidy,
      }
    } catch (error) {
      if (systemCode(error) !== undefined) throw fileError(error, folder.path, 'search')
      folder.noteFault(error)
    }
  }
}

interface Near {
  readonly near: readonly NearSession[]
  /** Why meaning does not count. */
  readonly lack?: RecallLack
}

/** Finds the sessions nearest in meaning. A failure leaves the search to the words. Throws `aborted`. */
async function findNear(
  asked: NearQuery,
  { openMeaning, folder, ...options }: Omit<Searching, 'query'> & { readonly folder: IndexFolder },
): Promise<Near> {
  try {
    const meaning = await openMeaning()
    return 'reason' in meaning ? { near: [], lack: meaning } : { near: await meaning.find(asked, options) }
  } catch (error) {
    if (systemCode(error) === undefined && !isPipeError(error)) throw error
    const { code, message } = fileError(error, folder.path, 'write in')
    if (code === 'aborted') throw error
    return { near: [], lack: { isFailure: true, reason: message } }
  }
}

/** Returns the filter of a query for the sessions of the catalog. */
function filterFor({ catalog, gone }: Current, { cwd, since, except }: RecallQuery) {
  const { ids, times, folders, folderOf } = catalog
  const isHidden = (id: SessionId | undefined) => id === undefined || id === except || gone.has(id)
  const folder = cwd === undefined ? undefined : folders.indexOf(cwd)
  return (number: number) =>
    (folder === undefined || folderOf[number] === folder) &&
    (since === undefined || (times[number] ?? 0) >= since) &&
    !isHidden(ids[number])
}

interface Match {
  /** The words of the query that the session holds. */
  readonly terms: readonly string[]
  /** The message nearest in meaning. */
  readonly messageId: string | undefined
  readonly signal: AbortSignal
}

/** Reads what is shown of a session. Returns `undefined` if it was deleted or closed to us meanwhile. */
async function describe(
  id: SessionId | undefined,
  { file: find, read, redact }: RecallParts,
  { terms, messageId, signal }: Match,
): Promise<RecalledSession | undefined> {
  const file = id && find(id)
  if (file === undefined) return undefined
  try {
    const session = await read(file, signal)
    const { createdAt, updatedAt, cwd, messages } = session
    const nearest = messages.find((message) => message.id === messageId)
    const excerpt = findExcerpt(messages, terms, redact) ?? (nearest && messageStart(nearest, redact))
    return {
      id: file.id,
      createdAt,
      updatedAt,
      size: file.size,
      ...headingOf(session, redact),
      ...omitUndefined({ cwd, excerpt }),
    }
  } catch (error) {
    if (!isSurvivable(error)) throw error
    return undefined
  }
}
