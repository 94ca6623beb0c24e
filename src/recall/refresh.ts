import { isPipeError, throwIfAborted } from '../error.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { systemCode } from '../files/system-error.ts'
import type { SessionId } from '../id.ts'
import type { RecallOptions } from '../recall.ts'
import type { SessionFile } from '../session.ts'
import { type Catalog, joinDocuments, type LastDocuments } from './catalog.ts'
import { readCheck, writeCheck } from './check.ts'
import type { IndexFolder, Snapshot } from './folder.ts'
import { appendToJournal, cutJournal } from './journal.ts'
import { mergeSources } from './merge.ts'
import type { RecallParts } from './parts.ts'
import { readDocument } from './session-text.ts'
import type { Source } from './source.ts'
import { indexTexts, type TextDocument } from './text-source.ts'
import { segmentDocuments, whileLocked } from './upkeep.ts'

/** The index, compared with the session files. */
export interface Current {
  readonly snapshot: Snapshot
  /** Includes what was read just now. */
  readonly sources: readonly Source[]
  readonly catalog: Catalog
  /** The sessions of the catalog whose file is gone. */
  readonly gone: ReadonlySet<SessionId>
}

interface Compared extends Current {
  readonly last: LastDocuments
  /** Files that are new or have changed since they were indexed. */
  readonly stale: readonly SessionFile[]
}

/** Bytes of changed files that a search reads without writing segments first. */
const mostAtOnce = 4 * 1024 * 1024
/** Milliseconds to wait for another process that writes the index. */
const patienceMs = 60_000
/** Characters of text to index in memory at a time. */
const mostText = 16 * 1024 * 1024

/** Reads the index and indexes what has changed since. Throws `aborted`, and the system's reason if many sessions cannot be indexed. */
export async function refreshIndex(
  folder: IndexFolder,
  parts: RecallParts,
  options: RecallOptions,
): Promise<Current> {
  const snapshot = folder.read()
  const catalog = snapshot.isDamaged ? undefined : readCheck(folder.path, snapshot.state, parts)
  if (catalog !== undefined) return { snapshot, sources: snapshot.sources, catalog, gone: new Set() }
  const found = await compare(folder, parts)
  if (found.stale.length === 0) return found
  if (found.stale.reduce((sum, { size }) => sum + size, 0) > mostAtOnce) {
    await indexMany(folder, parts, options)
    return compare(folder, parts)
  }
  const documents = []
  for (const file of found.stale) {
    const known = found.last.get(file.id)
    const document = await readDocument(file, known, { ...parts, signal: options.signal })
    if (document !== undefined) documents.push(document)
  }
  remember(folder, documents)
  const sources = [...found.sources, indexTexts(documents)]
  return { ...found, ...joinDocuments(sources), sources }
}

/** Compares the index with all session files, and notes if they agree. */
async function compare(folder: IndexFolder, parts: RecallParts): Promise<Compared> {
  const snapshot = folder.read()
  const { sources, state } = snapshot
  const { catalog, last } = joinDocuments(sources)
  const listing = await parts.list()
  const stale = listing.files.filter(({ id, size, modified }) => {
    const known = last.get(id)
    return known?.size !== size || known.modified !== modified
  })
  const gone = new Set(catalog.ids)
  for (const { id } of listing.files) gone.delete(id)
  if (stale.length === 0 && gone.size === 0)
    await writeCheck(folder.path, { state, listing, catalog, last }, parts.clock.now())
  return { snapshot, sources, catalog, last, gone, stale }
}

/** Adds documents to the journal. A failure costs only time: the next search reads the sessions again. */
function remember(folder: IndexFolder, documents: readonly TextDocument[]): void {
  try {
    makePrivateFolder(folder.path)
    appendToJournal(folder.path, documents)
  } catch (error) {
    if (!isPipeError(error) && systemCode(error) === undefined) throw error
  }
}

/** Indexes all changed sessions into segments, some at a time, so that an interrupted run loses little. */
async function indexMany(
  folder: IndexFolder,
  parts: RecallParts,
  { signal, onProgress = () => undefined }: RecallOptions,
): Promise<void> {
  const { clock, pid, host } = parts
  makePrivateFolder(folder.path)
  await whileLocked(folder.path, { clock, pid, host, signal, waitMs: patienceMs }, async () => {
    // Another process may have indexed them while this one waited.
    const { snapshot, last, stale } = await compare(folder, parts)
    const names = snapshot.segments.map(({ name }) => name)
    const pause = () => clock.sleep(0, signal)
    const write = async (documents: readonly TextDocument[]) => {
      if (documents.length === 0) return
      const source = indexTexts(documents)
      names.push(await folder.write(await mergeSources([{ source, keeps: () => true }], pause)))
      await folder.commit(names)
    }
    onProgress(`indexing ${stale.length} sessions`)
    // The journal comes first, as a document counts only after those before it.
    await write(snapshot.journal.documents)
    await cutJournal(folder.path, snapshot.journal.size)
    const batch = new Batch()
    for (const [i, file] of stale.entries()) {
      throwIfAborted(signal)
      batch.add(await readDocument(file, last.get(file.id), { ...parts, signal }))
      if (!batch.isFull && i < stale.length - 1) continue
      await write(batch.take())
      onProgress(`indexed ${i + 1} of ${stale.length} sessions`)
    }
  })
}

/** Documents to write as one segment. */
class Batch {
  #documents: TextDocument[] = []
  #size = 0

  get isFull(): boolean {
    return this.#size >= mostText || this.#documents.length >= segmentDocuments
  }

  add(document: TextDocument | undefined): void {
    if (document === undefined) return
    this.#documents.push(document)
    this.#size += document.text.length
  }

  take(): readonly TextDocument[] {
    const documents = this.#documents
    this.#documents = []
    this.#size = 0
    return documents
  }
}
