import { join } from 'node:path'
import { isPipeError } from '../../error.ts'
import { waitForLock } from '../../files/lock/lock.ts'
import type { SessionId } from '../../id.ts'
import type { RecallOptions, RecallQuery } from '../../memory/recall.ts'
import type { Embedder, VectorStore } from '../../memory/vector-store.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Current } from '../refresh.ts'
import type { RecallParts } from '../spoken-parts.ts'
import { embeddingLock, embedNew } from './embed-new.ts'
import { Ledger } from './ledger.ts'

/** A session near a query, and its nearest message. */
export interface NearSession {
  /** Its number in the catalog. */
  readonly number: number
  readonly messageId: string
}

export interface NearQuery {
  readonly query: RecallQuery
  readonly current: Current
  /** Whether to search a session. */
  includes(number: number): boolean
}

/** Sessions to find by meaning: every session is somehow near, so only the first count. */
const mostSessions = 20
/** Vectors to look at for so many sessions. If they are of too few, a second look goes further. */
const looks = [200, 4_000]
/** Milliseconds that `forgetVectors` waits for another process that embeds. */
const patienceMs = 30_000

/** Finds sessions by what their messages mean. */
export class Meaning {
  readonly #parts: RecallParts
  readonly #embedder: Embedder
  readonly #vectors: VectorStore

  constructor(parts: RecallParts, embedder: Embedder, vectors: VectorStore) {
    this.#parts = parts
    this.#embedder = embedder
    this.#vectors = vectors
  }

  /** Embeds what is new and finds the sessions nearest to the query, the nearest first. Throws what the embedder and the store throw. */
  async find(asked: NearQuery, options: RecallOptions): Promise<readonly NearSession[]> {
    try {
      return await this.#find(asked, options)
    } catch (error) {
      // The server has another model under the same name now.
      if (!isPipeError(error) || error.details['reason'] !== 'dimensions') throw error
      await this.#vectors.removeWhere({}, options)
      return this.#find(asked, options)
    }
  }

  close(): Promise<void> {
    return this.#vectors.close()
  }

  async #find(asked: NearQuery, options: RecallOptions): Promise<readonly NearSession[]> {
    const { query, current } = asked
    const [vectors, embedder] = [this.#vectors, this.#embedder]
    await embedNew(current, {
      parts: this.#parts,
      embedder,
      vectors,
      except: query.except,
      ...options,
    })
    const [vector] = await embedder.embed([query.words], options)
    if (vector === undefined) return []
    let found: readonly NearSession[] = []
    for (const limit of looks) {
      const { signal } = options
      const filter = omitUndefined({ cwd: query.cwd })
      const near = await vectors.searchScored(vector, limit, { signal, filter })
      const messages = near.filter(({ score }) => score > 0).map(({ metadata }) => metadata)
      found = sessionsOf(messages, asked)
      if (found.length >= mostSessions || near.length < limit) break
    }
    return found.slice(0, mostSessions)
  }
}

/** Returns the sessions of messages, each once with its first message. */
function sessionsOf(
  messages: readonly Readonly<Record<string, string>>[],
  { current, includes }: NearQuery,
): readonly NearSession[] {
  const numbers = new Map<string, number>(current.catalog.ids.map((id, number) => [id, number]))
  const found = new Map<number, NearSession>()
  for (const { session = '', message = '' } of messages) {
    const number = numbers.get(session)
    if (number === undefined || found.has(number) || !includes(number)) continue
    found.set(number, { number, messageId: message })
  }
  return [...found.values()]
}

/** Removes the vectors of sessions, whichever model made them; nothing if none were made. Throws `conflict`, and what the store throws. */
export async function forgetVectors(
  parts: RecallParts,
  ids: readonly SessionId[],
  signal: AbortSignal,
): Promise<void> {
  const { folder, clock, pid, host, openVectors } = parts
  const { head } = new Ledger(folder)
  if (head === undefined || openVectors === undefined) return
  const lock = await waitForLock(join(folder, embeddingLock), {
    clock,
    pid,
    host,
    signal,
    waitMs: patienceMs,
  })
  try {
    const vectors = await openVectors(head.model)
    try {
      for (const session of ids) await vectors.removeWhere({ session }, { signal })
      await new Ledger(folder).forget(ids)
    } finally {
      await vectors.close()
    }
  } finally {
    lock.release()
  }
}
