import { isPipeError } from '../error.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { systemCode } from '../files/system-error.ts'
import type { SessionId } from '../id.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type {
  Recall,
  RecalledSession,
  RecallOptions,
  RecallQuery,
  RecallResult,
  SavedTurn,
} from '../recall.ts'
import type { KnownSession } from './catalog.ts'
import { findExcerpt } from './excerpt.ts'
import { IndexFolder } from './folder.ts'
import { appendToJournal, journalSize } from './journal.ts'
import type { RecallParts } from './parts.ts'
import { type RankedSession, rankSessions } from './rank.ts'
import { type Current, refreshIndex } from './refresh.ts'
import { composeDocument } from './session-text.ts'
import { tidyIndex, whileLocked } from './upkeep.ts'
import { queryTerms } from './words.ts'

/** Bytes of the journal from which it is moved into a segment, and to which it grows until someone does that. */
const longJournal = 256 * 1024
const mostJournal = 4 * 1024 * 1024
/** Milliseconds that `forget` waits for another process. */
const patienceMs = 30_000

/** Opens full-text search over the session files of a folder. Reads and writes nothing until it is used. */
export function openRecall(parts: RecallParts): Recall {
  return new IndexedRecall(parts)
}

class IndexedRecall implements Recall {
  readonly #parts: RecallParts
  readonly #folder: IndexFolder
  #background: Promise<void> | undefined

  constructor(parts: RecallParts) {
    this.#parts = parts
    this.#folder = new IndexFolder(parts.folder)
  }

  async search(query: RecallQuery, options: RecallOptions): Promise<RecallResult> {
    const terms = queryTerms(query.words)
    if (terms.length === 0) return { sessions: [], total: 0 }
    for (;;) {
      const current = await refreshIndex(this.#folder, this.#parts, options)
      try {
        const found = this.#rank(current, query, terms)
        const sessions = await this.#describe(found.slice(0, query.limit), options.signal)
        this.#tidyIfNeeded(current)
        return { sessions, total: found.length }
      } catch (error) {
        this.#folder.noteFault(error)
      }
    }
  }

  add({ id, createdAt, cwd, from, messages }: SavedTurn): void {
    const { folder, redact, tidies = false, file: find } = this.#parts
    try {
      const file = find(id)
      if (file === undefined || messages.length === 0) return
      const document = composeDocument({ file, createdAt, cwd, from, messages, redact })
      makePrivateFolder(folder)
      appendToJournal(this.#folder.journalPath, [document], mostJournal)
    } catch (error) {
      requireOrdinary(error)
    }
    if (tidies && journalSize(this.#folder.journalPath) > longJournal) this.#tidy()
  }

  async forget(ids: readonly SessionId[], { signal }: Pick<RecallOptions, 'signal'>): Promise<void> {
    const gone = new Set(ids)
    if (!this.#folder.exists()) return
    await this.#write((id) => gone.has(id), { signal, waitMs: patienceMs })
  }

  async close(): Promise<void> {
    await this.#background
  }

  #rank({ sources, sessions }: Current, query: RecallQuery, terms: readonly string[]) {
    const { cwd, since, except } = query
    const searched = [...sessions.values()].filter(
      (one) =>
        (cwd === undefined || one.cwd === cwd) &&
        (since === undefined || one.at >= since) &&
        one.id !== except,
    )
    return rankSessions({ sources, sessions: searched, terms, now: this.#parts.clock.now() })
  }

  /** Reads what is shown of the sessions found. Leaves out one that was deleted meanwhile. */
  async #describe(found: readonly RankedSession[], signal: AbortSignal): Promise<readonly RecalledSession[]> {
    const described = await Promise.all(found.map((one) => this.#describeOne(one, signal)))
    return described.filter((one) => one !== undefined)
  }

  async #describeOne({ session, terms }: RankedSession, signal: AbortSignal) {
    const { file: find, read, redact } = this.#parts
    const file = find(session.id)
    if (file === undefined) return undefined
    const { messages, createdAt, updatedAt, cwd, title, opening } = await read(file, signal)
    return {
      id: session.id,
      createdAt,
      updatedAt,
      ...omitUndefined({ cwd, title, opening, excerpt: findExcerpt(messages, terms, redact) }),
    } satisfies RecalledSession
  }

  #tidyIfNeeded({ snapshot, hasGone }: Current): void {
    if (hasGone || snapshot.isDamaged || journalSize(this.#folder.journalPath) > longJournal) this.#tidy()
  }

  /** Tidies the index in the background, unless another process does. Removes sessions whose file is gone. */
  #tidy(): void {
    const tidied = async () => {
      await this.#background
      try {
        const files = new Set((await this.#parts.files()).map(({ id }) => id))
        await this.#write((id) => !files.has(id), { signal: new AbortController().signal, waitMs: 0 })
      } catch (error) {
        requireOrdinary(error)
      }
    }
    this.#background = tidied()
  }

  async #write(
    isGone: (id: KnownSession['id']) => boolean,
    options: { signal: AbortSignal; waitMs: number },
  ) {
    const { clock, pid, host } = this.#parts
    await whileLocked(this.#folder, { ...options, clock, pid, host }, () =>
      tidyIndex(this.#folder, isGone, () => clock.sleep(0, options.signal)),
    )
  }
}

/** Throws an error that is a bug. Any other only means that a later search has more to do. */
function requireOrdinary(error: unknown): void {
  if (!isPipeError(error) && systemCode(error) === undefined) throw error
}
