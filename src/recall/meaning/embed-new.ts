import { join } from 'node:path'
import { hasCode, isSurvivable } from '../../error.ts'
import { takeLock } from '../../files/lock/lock.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import type { SessionId } from '../../id.ts'
import type { RecallOptions, SearchableMessage } from '../../memory/recall.ts'
import type { Embedder, VectorMetadata, VectorStore } from '../../memory/vector-store.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { SessionFile } from '../../session.ts'
import type { Current } from '../refresh.ts'
import type { RecallParts } from '../spoken-parts.ts'
import { type Embedded, Ledger } from './ledger.ts'
import { piecesOf } from './pieces.ts'

/** Texts to embed before they are stored, and at most in one search. */
const batchSize = 64
const mostTexts = 1_000
/** Milliseconds after which a search begins no other batch. */
const mostMs = 30_000

/** The lock of whoever embeds. */
export const embeddingLock = 'embedding.lock'

export interface Embedding extends RecallOptions {
  readonly parts: RecallParts
  readonly embedder: Embedder
  readonly vectors: VectorStore
  /** A session to leave for a later search. */
  readonly except: SessionId | undefined
}

/**
 * Embeds what is not yet, the newest sessions first, and removes the vectors of sessions that are gone. Leaves it to another process
 * that is doing so. Throws what the embedder and the store throw.
 */
export async function embedNew(current: Current, embedding: Embedding): Promise<void> {
  const { parts, signal } = embedding
  const { folder, clock, pid, host } = parts
  makePrivateFolder(folder)
  try {
    const lock = takeLock(join(folder, embeddingLock), { clock, pid, host, signal })
    try {
      await new Batches(embedding, new Ledger(folder)).embed(current)
    } finally {
      lock.release()
    }
  } catch (error) {
    if (!hasCode(error, 'conflict')) throw error
  }
}

/** A text to embed, with what its vector stands for. */
interface Piece {
  readonly id: string
  readonly text: string
  readonly metadata: VectorMetadata
}

class Batches {
  readonly #embedding: Embedding
  readonly #ledger: Ledger
  readonly #startedAt: number
  #pieces: Piece[] = []
  /** The texts embedded once the pieces are. */
  #sessions: Embedded[] = []
  #texts = 0

  constructor(embedding: Embedding, ledger: Ledger) {
    this.#embedding = embedding
    this.#ledger = ledger
    this.#startedAt = embedding.parts.clock.monotonic()
  }

  async embed(current: Current): Promise<void> {
    await this.#requireSame()
    await this.#removeGone(current)
    const waiting = this.#waiting(current)
    let left = waiting.length
    for (const { file, mark } of waiting) {
      if (await this.#embedSession(file, mark)) left--
      if (this.#isEnough) break
    }
    await this.#flush()
    if (left > 0)
      this.#report(`the next searches embed what is left of ${left} ${left === 1 ? 'session' : 'sessions'}`)
  }

  /** Begins anew if the ledger is not about these vectors: those of another model, or lost ones. */
  async #requireSame(): Promise<void> {
    const { vectors, embedder, signal } = this.#embedding
    const generation = await vectors.generation({ signal })
    const { head } = this.#ledger
    if (head?.model === embedder.model && head.generation === generation && generation !== '') return
    if (generation !== '') await vectors.removeWhere({}, { signal })
    if (head !== undefined) await this.#ledger.begin({ model: embedder.model, generation: '' })
  }

  async #removeGone({ catalog, gone: missing }: Current): Promise<void> {
    const { parts, vectors, signal } = this.#embedding
    const present = new Set(catalog.ids)
    const unknown = this.#ledger.ids.filter((id) => !present.has(id) || missing.has(id))
    const gone = unknown.filter((id) => parts.file(id) === undefined)
    for (const session of gone) await vectors.removeWhere({ session }, { signal })
    await this.#ledger.forget(gone)
  }

  /** Lists the sessions that have changed since they were embedded, the newest first. */
  #waiting({ catalog, gone }: Current): readonly { readonly file: SessionFile; readonly mark: string }[] {
    const { parts, except } = this.#embedding
    const { ids, times, lengths } = catalog
    return ids
      .map((id, number) => ({ id, at: times[number] ?? 0, mark: `${times[number]} ${lengths[number]}` }))
      .filter(({ id, mark }) => id !== except && !gone.has(id) && this.#ledger.get(id)?.mark !== mark)
      .sort((a, b) => b.at - a.at)
      .flatMap(({ id, mark }) => {
        const file = parts.file(id)
        return file === undefined ? [] : [{ file, mark }]
      })
  }

  /** Returns whether all of the session is done. */
  async #embedSession(file: SessionFile, mark: string): Promise<boolean> {
    const { parts, vectors, signal } = this.#embedding
    const { id } = file
    const { createdAt, cwd, messages } = await readSession(file, parts, signal)
    const known = this.#ledger.get(id)
    const isContinued = known?.createdAt === createdAt && known.through <= messages.length
    if (known !== undefined && !isContinued) await vectors.removeWhere({ session: id }, { signal })
    for (let at = isContinued ? known.through : 0; at < messages.length; at++) {
      const message = messages[at]
      const facts = { session: id, ...omitUndefined({ cwd }) }
      if (message !== undefined) this.#add(`${id} ${at}`, message, facts)
      if (this.#pieces.length < batchSize) continue
      this.#sessions.push({ id, createdAt, through: at + 1, mark: '' })
      await this.#flush()
      if (this.#isEnough && at + 1 < messages.length) return false
    }
    this.#sessions.push({ id, createdAt, through: messages.length, mark })
    return true
  }

  #add(place: string, message: SearchableMessage, facts: VectorMetadata): void {
    const metadata = { ...facts, message: message.id }
    for (const [i, text] of piecesOf(message, this.#embedding.parts.redact).entries())
      this.#pieces.push({ id: `${place} ${i}`, text, metadata })
  }

  /** Whether the rest is left to later searches. */
  get #isEnough(): boolean {
    const { clock } = this.#embedding.parts
    return this.#texts + this.#pieces.length >= mostTexts || clock.monotonic() - this.#startedAt >= mostMs
  }

  /** Embeds and stores what was added, and notes it afterwards: what a killed process did not note is embedded again. */
  async #flush(): Promise<void> {
    const { embedder, vectors, signal } = this.#embedding
    const pieces = this.#pieces
    const sessions = this.#sessions
    this.#pieces = []
    this.#sessions = []
    if (pieces.length > 0) {
      if (this.#texts > 0) this.#report(`embedded ${this.#texts} texts of earlier sessions`)
      const embedded = await embedder.embed(
        pieces.map(({ text }) => text),
        { signal },
      )
      const entries = pieces.flatMap(({ id, metadata }, i) => {
        const embedding = embedded[i]
        return embedding === undefined ? [] : [{ id, embedding, metadata }]
      })
      await vectors.upsertAll(entries, { signal })
      this.#texts += pieces.length
    }
    if (sessions.length > 0) await this.#note(sessions)
  }

  async #note(sessions: readonly Embedded[]): Promise<void> {
    const { embedder, vectors, signal } = this.#embedding
    const generation = await vectors.generation({ signal })
    // The store names its vectors only once it has some.
    if (generation === '') return
    if (this.#ledger.head?.generation !== generation)
      await this.#ledger.begin({ model: embedder.model, generation })
    await this.#ledger.note(sessions)
  }

  #report(line: string): void {
    this.#embedding.onProgress?.(line)
  }
}

/** Reads a session; one that cannot be read has no messages, and is read again once it has changed. */
async function readSession(file: SessionFile, { read }: RecallParts, signal: AbortSignal) {
  try {
    const { createdAt, cwd, messages } = await read(file, signal)
    return { createdAt, cwd, messages }
  } catch (error) {
    if (!isSurvivable(error)) throw error
    return { createdAt: '', cwd: undefined, messages: [] }
  }
}
