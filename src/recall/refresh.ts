import { throwIfAborted } from '../error.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { throwIfBug } from '../files/system-error.ts'
import type { SessionId } from '../id.ts'
import type { RecallOptions } from '../memory/recall.ts'
import type { SessionFile, SessionListing } from '../session.ts'
import type { IndexFolder, IndexSnapshot } from './folder.ts'
import { readCheck, writeCheck } from './index-check.ts'
import { appendToJournal, cutJournal } from './journal.ts'
import { mergeSources } from './merge-segments.ts'
import type { SearchSource } from './search-source.ts'
import { type Catalog, Joiner } from './segment-catalog.ts'
import { readNewMessages, type SessionReading } from './session-text.ts'
import type { RecallParts } from './spoken-parts.ts'
import { indexTexts, type TextDocument } from './text-source.ts'
import { segmentDocuments, whileIndexLocked } from './upkeep.ts'

/** The index, compared with the session files. */
export interface Current {
  readonly snapshot: IndexSnapshot
  /** Includes what was read just now. */
  readonly sources: readonly SearchSource[]
  readonly catalog: Catalog
  /** The sessions of the catalog whose file is gone. */
  readonly gone: ReadonlySet<SessionId>
}

interface Compared {
  readonly snapshot: IndexSnapshot
  readonly joiner: Joiner
  /** Files that are new or have changed since they were indexed, but for the excluded session's. */
  readonly stale: readonly SessionFile[]
  /** Whether the excluded session's file has changed, too. */
  readonly isLeftOut: boolean
  readonly listing: SessionListing
  readonly gone: ReadonlySet<SessionId>
}

/** Bytes of changed files that a search reads without writing segments first. */
const mostAtOnce = 4 * 1024 * 1024
/** Milliseconds to wait for another process that writes the index. */
const patienceMs = 60_000
/** Characters of text to index in memory at a time. */
const mostText = 16 * 1024 * 1024

export interface RefreshOptions extends RecallOptions {
  /** A session to leave for a later search: its turn is not over. */
  readonly except: SessionId | undefined
}

/** Reads the index and indexes what has changed since. Throws `aborted`, and the system's reason if many sessions cannot be indexed. */
export async function refreshIndex(
  folder: IndexFolder,
  parts: RecallParts,
  options: RefreshOptions,
): Promise<Current> {
  const snapshot = folder.read()
  const catalog = snapshot.isDamaged ? undefined : readCheck(folder.path, snapshot.state, parts)
  if (catalog !== undefined) return { snapshot, sources: snapshot.sources, catalog, gone: new Set() }
  let found = await compare(snapshot, parts, options)
  if (found.stale.reduce((sum, { size }) => sum + size, 0) > mostAtOnce) {
    await indexMany(folder, parts, options)
    found = await compare(folder.read(), parts, options)
  }
  const { stale, joiner, gone, listing, isLeftOut } = found
  if (stale.length === 0) {
    const agreed = { state: found.snapshot.state, listing, catalog: joiner.catalog() }
    if (gone.size === 0 && !isLeftOut) await writeCheck(folder.path, agreed, parts.clock.now())
    return { snapshot: found.snapshot, sources: found.snapshot.sources, catalog: agreed.catalog, gone }
  }
  const changes = indexTexts(await readChanged(folder, found, { ...parts, ...options }))
  joiner.add(changes)
  const sources = [...found.snapshot.sources, changes]
  return { snapshot: found.snapshot, sources, catalog: joiner.catalog(), gone }
}

/** Compares the index with all session files. */
async function compare(
  snapshot: IndexSnapshot,
  parts: RecallParts,
  { except }: Pick<RefreshOptions, 'except'>,
): Promise<Compared> {
  const joiner = new Joiner(snapshot.sources)
  const listing = await parts.list()
  let known = 0
  const changed = listing.files.filter(({ id, size, modified }) => {
    const last = joiner.lastOf(id)
    if (last !== undefined) known++
    return last?.size !== size || last.modified !== modified
  })
  const stale = changed.filter(({ id }) => id !== except)
  return {
    snapshot,
    joiner,
    stale,
    isLeftOut: stale.length < changed.length,
    listing,
    gone: known === joiner.count ? new Set() : goneOf(joiner, listing),
  }
}

function goneOf(joiner: Joiner, { files }: SessionListing): ReadonlySet<SessionId> {
  const gone = new Set(joiner.ids())
  for (const { id } of files) gone.delete(id)
  return gone
}

/** Reads the changed sessions, and adds them to the journal. */
async function readChanged(
  folder: IndexFolder,
  { stale, joiner }: Compared,
  reading: SessionReading,
): Promise<readonly TextDocument[]> {
  const documents = []
  for (const file of stale) {
    const document = await readNewMessages(file, joiner.lastOf(file.id), reading)
    if (document !== undefined) documents.push(document)
  }
  if (documents.length > 0) remember(folder, documents)
  return documents
}

/** Adds documents to the journal. A failure costs only time: the next search reads the sessions again. */
function remember(folder: IndexFolder, documents: readonly TextDocument[]): void {
  try {
    makePrivateFolder(folder.path)
    appendToJournal(folder.path, documents)
  } catch (error) {
    throwIfBug(error)
  }
}

/** Indexes all changed sessions into segments, some at a time, so that an interrupted run loses little. */
async function indexMany(
  folder: IndexFolder,
  parts: RecallParts,
  { except, signal, onProgress = () => undefined }: RefreshOptions,
): Promise<void> {
  const { clock, pid, host } = parts
  makePrivateFolder(folder.path)
  await whileIndexLocked(folder.path, { clock, pid, host, signal, waitMs: patienceMs }, async () => {
    // Another process may have indexed them while this one waited.
    const { snapshot, joiner, stale } = await compare(folder.read(), parts, { except })
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
      batch.add(await readNewMessages(file, joiner.lastOf(file.id), { ...parts, signal }))
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
