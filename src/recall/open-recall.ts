import { existsSync } from 'node:fs'
import { makePrivateFolder } from '../files/private-folder.ts'
import { fileError, systemCode, throwIfBug } from '../files/system-error.ts'
import type { SessionId } from '../id.ts'
import type {
  Recall,
  RecallLack,
  RecallOptions,
  RecallQuery,
  RecallResult,
  SavedTurn,
} from '../memory/recall.ts'
import { appendToJournal, journalSize } from './journal.ts'
import type { Meaning } from './meaning/meaning.ts'
import { composeDocument } from './session-text.ts'
import type { RecallParts } from './spoken-parts.ts'

/** Bytes of the journal from which it is moved into a segment, and to which it grows until someone does that. */
const longJournal = 256 * 1024
const mostJournal = 4 * 1024 * 1024
/** Milliseconds that `forget` waits for another process. */
const patienceMs = 30_000

const unset: RecallLack = {
  isFailure: false,
  reason: 'no model for embeddings is set (routes.embedding)',
}

/** Creates a search over the session files of a folder. Reads and writes nothing until it is used. */
export function createRecall(parts: RecallParts): Recall {
  return new IndexedRecall(parts)
}

class IndexedRecall implements Recall {
  readonly #parts: RecallParts
  #background: Promise<void> | undefined
  #opening: Promise<Meaning | RecallLack> | undefined
  #meaning: Meaning | undefined

  constructor(parts: RecallParts) {
    this.#parts = parts
  }

  async search(query: RecallQuery, options: RecallOptions): Promise<RecallResult> {
    // Imported late, as most runs only add.
    const { searchIndex } = await import('./search-index.ts')
    const { result, isUntidy } = await searchIndex(this.#parts, {
      query,
      openMeaning: () => this.#openMeaning(),
      ...options,
    })
    if (isUntidy || this.#isLong) this.#tidy()
    return result
  }

  add({ id, createdAt, cwd, from, messages }: SavedTurn): void {
    const { folder, redact, tidies = false, file: find } = this.#parts
    try {
      const file = find(id)
      if (file === undefined || messages.length === 0) return
      const document = composeDocument({ file, createdAt, cwd, from, messages, redact })
      makePrivateFolder(folder)
      appendToJournal(folder, [document], mostJournal)
      if (tidies && this.#isLong) this.#tidy()
    } catch (error) {
      // Otherwise a later search only has more to do.
      throwIfBug(error)
    }
  }

  async forget(ids: readonly SessionId[], { signal }: Pick<RecallOptions, 'signal'>): Promise<void> {
    const gone = new Set(ids)
    if (!existsSync(this.#parts.folder)) return
    await this.#write((id) => gone.has(id), { signal, waitMs: patienceMs })
    const { forgetVectors } = await import('./meaning/meaning.ts')
    await forgetVectors(this.#parts, ids, signal)
  }

  async close(): Promise<void> {
    await this.#background
    await this.#meaning?.close()
    this.#meaning = undefined
    this.#opening = undefined
  }

  /** Opens the search by meaning once, unless that fails. Throws `config`, `auth`. */
  async #openMeaning(): Promise<Meaning | RecallLack> {
    this.#opening ??= this.#createMeaning()
    try {
      return await this.#opening
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  async #createMeaning(): Promise<Meaning | RecallLack> {
    const { openEmbedder, openVectors } = this.#parts
    const embedder = await openEmbedder?.()
    if (embedder === undefined || openVectors === undefined) return unset
    const { Meaning } = await import('./meaning/meaning.ts')
    this.#meaning = new Meaning(this.#parts, embedder, await openVectors(embedder.model))
    return this.#meaning
  }

  get #isLong(): boolean {
    return journalSize(this.#parts.folder) > longJournal
  }

  /** Tidies the index in the background, unless another process does. Removes sessions whose file is gone. */
  #tidy(): void {
    const before = this.#background
    const tidied = async () => {
      await before
      try {
        const { files } = await this.#parts.list()
        const present = new Set(files.map(({ id }) => id))
        await this.#write((id) => !present.has(id), { signal: new AbortController().signal, waitMs: 0 })
      } catch (error) {
        // Otherwise a later search only has more to do.
        throwIfBug(error)
      }
    }
    this.#background = tidied()
  }

  async #write(isGone: (id: SessionId) => boolean, options: { signal: AbortSignal; waitMs: number }) {
    const { folder, clock, pid, host } = this.#parts
    const { tidyIndex, whileIndexLocked } = await import('./upkeep.ts')
    try {
      await whileIndexLocked(folder, { ...options, clock, pid, host }, () =>
        tidyIndex(folder, isGone, () => clock.sleep(0, options.signal)),
      )
    } catch (error) {
      throw systemCode(error) === undefined ? error : fileError(error, folder, 'write')
    }
  }
}
