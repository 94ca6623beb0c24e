import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { throwIfAborted } from '../error.ts'
import { type Lock, waitForLock } from '../files/lock/lock.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import { writeAtomically } from '../files/writing/atomic.ts'
import type { NewId } from '../id.ts'
import {
  requireDimensions,
  type ScoredVector,
  unitVector,
  type VectorEntry,
  type VectorMetadata,
  type VectorSearchOptions,
  type VectorStore,
} from '../memory/vector-store.ts'
import { encodeJournalHeader, isRowsName } from './journal-line.ts'
import { LoadedRows } from './loaded-rows.ts'
import { nearestRows } from './nearest-rows.ts'
import { blankRows, countRows, openRowFile, openRowsIfThere, writeRows } from './row-file.ts'
import { compacted } from './vector-compaction.ts'
import { readVectorJournal, type VectorJournal } from './vector-journal.ts'

// A store is a folder: a file of rows, each a vector of length 1, and a journal, which says what the rows stand for. Rows are written
// before the line that counts them, and each file of rows has a name of its own, so that readers need no lock.

export interface VectorStoreOptions {
  /** Created on demand; only its owner may read it. */
  readonly folder: string
  /** The embedder's model, `provider/model`. Vectors of another one do not count, and the next write drops them. */
  readonly model: string
  readonly newId: Pick<NewId, 'message'>
  readonly clock: Clock
  /** The process that writes, and its machine. */
  readonly pid: number
  readonly host: string
}

/** Creates a store in a folder, which compares a query with every vector. Reads and writes nothing until it is used. */
export function createVectorStore(options: VectorStoreOptions): VectorStore {
  return new FileVectorStore(options)
}

/** Milliseconds to wait for another process that writes. */
const patienceMs = 30_000
/** Times that a search begins again because another process replaced the files. */
const mostTries = 5

class FileVectorStore implements VectorStore {
  readonly #options: VectorStoreOptions
  #journal: VectorJournal | undefined
  #rows = new LoadedRows()

  constructor(options: VectorStoreOptions) {
    this.#options = options
  }

  async upsert(
    id: string,
    embedding: Float32Array,
    metadata: VectorMetadata,
    options: { readonly signal: AbortSignal },
  ): Promise<void> {
    await this.upsertAll([{ id, embedding, metadata }], options)
  }

  async upsertAll(
    entries: readonly VectorEntry[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    const units = entries.map(({ embedding }) => unitVector(embedding))
    const dimensions = units[0]?.length ?? 0
    for (const unit of units) requireDimensions(unit, dimensions)
    // Of several with one id, the last counts.
    const kept = new Map(entries.map(({ id, metadata }, i) => [id, { metadata, unit: units[i] }]))
    const vectors = [...kept.values()].flatMap(({ unit }) => unit ?? [])
    const named = [...kept].map(([id, { metadata }]) => [id, metadata] as const)
    if (vectors[0] === undefined) return throwIfAborted(signal)
    const [first] = vectors
    await this.#write(signal, async (lock) => {
      const present = this.#readSound()
      if (present !== undefined) requireDimensions(first, present.header.dimensions)
      const journal = present ?? (await this.#begin(dimensions))
      const { entries: known } = journal
      const replaced = named.flatMap(([id]) => known.rowOf(id) ?? [])
      const file = openRowFile(this.#place(journal), 'write')
      try {
        writeRows(file, known.count, vectors)
        await file.sync()
        lock.requireHeld()
        await journal.append(this.#path, { type: 'put', row: known.count, entries: named })
        blankRows(file, replaced, dimensions)
      } finally {
        file.close()
      }
      await this.#compact(journal)
    })
  }

  async search(query: Float32Array, limit: number, options: VectorSearchOptions): Promise<readonly string[]> {
    return (await this.searchScored(query, limit, options)).map(({ id }) => id)
  }

  async searchScored(
    query: Float32Array,
    limit: number,
    { signal, filter }: VectorSearchOptions,
  ): Promise<readonly ScoredVector[]> {
    throwIfAborted(signal)
    const unit = unitVector(query)
    return this.#reporting('read', () => {
      for (let tries = 1; tries <= mostTries; tries++) {
        const journal = this.#read()
        if (journal === undefined || limit <= 0) return []
        const { entries, header } = journal
        requireDimensions(unit, header.dimensions)
        const rows = this.#rows.read(this.#place(journal), entries.count)
        if (rows === undefined) continue
        const wanted = entries.matching(filter)
        const found = nearestRows(rows, unit, { wanted, limit, idOf: (row) => entries.id(row) })
        return found.map(({ row, score }) => ({
          id: entries.id(row),
          score,
          metadata: entries.metadata(row),
        }))
      }
      return []
    })
  }

  async remove(ids: readonly string[], { signal }: { readonly signal: AbortSignal }): Promise<void> {
    await this.#remove(signal, ({ entries }) => ids.filter((id) => entries.rowOf(id) !== undefined))
  }

  async removeWhere(filter: VectorMetadata, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (Object.keys(filter).length > 0)
      return this.#remove(signal, ({ entries }) => entries.idsMatching(filter))
    await this.#write(signal, async () => {
      rmSync(this.#path, { force: true })
      this.#removeRows()
    })
  }

  async generation({ signal }: { readonly signal: AbortSignal }): Promise<string> {
    throwIfAborted(signal)
    return this.#reporting('read', () => this.#readSound()?.header.generation ?? '')
  }

  async close(): Promise<void> {
    this.#rows = new LoadedRows()
  }

  get #path(): string {
    return join(this.#options.folder, 'journal.jsonl')
  }

  #place({ header: { rows, dimensions } }: VectorJournal) {
    return { path: join(this.#options.folder, rows), dimensions }
  }

  /** Reads what changed. Returns `undefined` if there are no vectors of this model. */
  #read(): VectorJournal | undefined {
    const found = readVectorJournal(this.#path, this.#journal)
    const journal = found?.header.model === this.#options.model ? found : undefined
    if (journal !== this.#journal) this.#rows = new LoadedRows()
    this.#journal = journal
    return journal
  }

  /** Reads what changed, unless rows were lost in a power cut. */
  #readSound(): VectorJournal | undefined {
    const journal = this.#read()
    if (journal === undefined) return undefined
    const { entries, header } = journal
    const file = openRowsIfThere(this.#place(journal))
    if (file === undefined) return undefined
    try {
      return countRows(file, header.dimensions) >= entries.count ? journal : undefined
    } finally {
      file.close()
    }
  }

  async #remove(signal: AbortSignal, choose: (journal: VectorJournal) => readonly string[]): Promise<void> {
    throwIfAborted(signal)
    if (this.#reporting('read', () => this.#read()) === undefined) return
    await this.#write(signal, async (lock) => {
      const journal = this.#readSound()
      const ids = journal === undefined ? [] : [...new Set(choose(journal))]
      if (journal === undefined || ids.length === 0) return
      const rows = ids.flatMap((id) => journal.entries.rowOf(id) ?? [])
      lock.requireHeld()
      await journal.append(this.#path, { type: 'remove', ids })
      const file = openRowFile(this.#place(journal), 'write')
      try {
        blankRows(file, rows, journal.header.dimensions)
      } finally {
        file.close()
      }
      await this.#compact(journal)
    })
  }

  async #begin(dimensions: number): Promise<VectorJournal> {
    const { model, newId } = this.#options
    const header = { model, dimensions, generation: newId.message(), rows: this.#newRows() }
    // The rows are there first: a journal without them is damaged.
    openRowFile({ path: join(this.#options.folder, header.rows), dimensions }, 'write').close()
    await writeAtomically(this.#path, Buffer.from(encodeJournalHeader(header)), { mode: 0o600 })
    this.#removeRows(header.rows)
    const journal = this.#read()
    if (journal === undefined) throw new Error(`${this.#path} cannot be read back`)
    return journal
  }

  /** Writes the files anew without the dead rows, once these are the most. */
  async #compact(journal: VectorJournal): Promise<void> {
    const rows = this.#newRows()
    const bytes = await compacted(journal, {
      from: this.#place(journal),
      to: join(this.#options.folder, rows),
      rows,
    })
    if (bytes === undefined) return
    await writeAtomically(this.#path, bytes, { mode: 0o600 })
    this.#removeRows(rows)
  }

  /** Returns a name that no file of rows has. */
  #newRows(): string {
    const used = readdirSync(this.#options.folder)
      .filter(isRowsName)
      .map((name) => Number.parseInt(name, 10))
    return `${Math.max(0, ...used) + 1}.rows`
  }

  #removeRows(except?: string): void {
    const { folder } = this.#options
    for (const name of readdirSync(folder))
      if (isRowsName(name) && name !== except) rmSync(join(folder, name), { force: true })
  }

  /** Runs work as the only writer. */
  async #write(signal: AbortSignal, work: (lock: Lock) => Promise<void>): Promise<void> {
    throwIfAborted(signal)
    const { folder, clock, pid, host } = this.#options
    makePrivateFolder(folder)
    const lock = await waitForLock(join(folder, 'lock'), { clock, pid, host, signal, waitMs: patienceMs })
    try {
      await work(lock)
    } catch (error) {
      throw systemCode(error) === undefined ? error : fileError(error, folder, 'write')
    } finally {
      lock.release()
    }
  }

  #reporting<Result>(doing: string, work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw systemCode(error) === undefined ? error : fileError(error, this.#options.folder, doing)
    }
  }
}
