import { lstatSync } from 'node:fs'
import { PipeError, throwIfAborted } from '../../error.ts'
import type { Lock } from '../../files/lock/lock.ts'
import { tighten } from '../../files/mode.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { onFile } from '../../files/system-error.ts'
import type { SessionId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type {
  LoadedSession,
  NewSession,
  ReadingOptions,
  Session,
  SessionLog,
  SessionStore,
  SessionSummary,
} from '../../session.ts'
import { asideEnding } from '../aside.ts'
import { encodeHeader } from '../documents/encode-document.ts'
import type { DiskBlob } from '../documents/schema.ts'
import { type Begin, beginNew } from './begin.ts'
import type { Document, DocumentReadOptions } from './document.ts'
import { unknownState } from './layout.ts'
import { FileLog, type LogParts } from './log.ts'
import { type Migration, migrations } from './migrate.ts'
import { lockSession, type SessionWriter, sessionPath } from './session-lock.ts'

export interface StoreOptions extends SessionWriter {
  readonly migrations?: readonly Migration[]
}

/**
 * Stores each session in a file `<id>.json` that only the user can read. The file begins with the first message, holds one message a
 * line, and is valid JSON after each write. Beside it are `<id>.lock`, `<id>.blobs/` with large images, and `<id>.torn-<time>` with
 * damaged bytes. System errors are `permission`, `invalid` and `internal`, with `details.path`.
 */
export function createSessionStore(options: StoreOptions): SessionStore {
  return new FileStore(options)
}

interface Cancellable {
  readonly signal: AbortSignal
}

type ListOptions = Cancellable & { readonly cwd?: string }

interface OpenSession {
  readonly log: SessionLog
  readonly loaded: LoadedSession
}

class FileStore implements SessionStore {
  readonly #options: StoreOptions

  constructor(options: StoreOptions) {
    this.#options = options
  }

  async create(session: NewSession, { signal }: Cancellable): Promise<SessionLog> {
    const { id } = session
    const path = this.#path(id, '.json')
    makePrivateFolder(this.#options.directory)
    const lock = await lockSession(id, this.#options, signal)
    return releasingOnFailure(lock, async () => {
      if (exists(path)) {
        throw new PipeError('conflict', `session ${id} already exists: ${path}`, { details: { path } })
      }
      const begin = beginNew(path, encodeHeader(session))
      return this.#log(id, { lock, begin, isNew: true, state: {}, extras: {} })
    })
  }

  async open(id: SessionId, options: ReadingOptions): Promise<OpenSession> {
    this.#requireSession(id)
    const lock = await lockSession(id, this.#options, options.signal)
    return releasingOnFailure(lock, async () => {
      const document = await this.#read(id, options)
      const loaded = await this.#load(id, document, options.signal)
      const { title, usage, costUsd, head, model, lastTurn, pending, movedTo } = loaded.session
      const log = this.#log(id, {
        lock,
        begin: await this.#begin(loaded.session, document),
        isNew: false,
        updatedAt: loaded.session.updatedAt,
        state: omitUndefined({ title, usage, costUsd, head, model, lastTurn, pending, movedTo }),
        extras: {
          ...folderOf(loaded.session, options),
          ...unknownState(document.appendPoint?.tail ?? {}),
        },
      })
      return { log, loaded }
    })
  }

  async load(id: SessionId, options: ReadingOptions): Promise<LoadedSession> {
    this.#requireSession(id)
    return this.#load(id, await this.#read(id, options), options.signal)
  }

  async find(beginning: string, { signal }: Cancellable): Promise<readonly SessionId[]> {
    const { listSessionIds } = await import('./existing.ts')
    const ids = listSessionIds(this.#options.directory, '.json')
    throwIfAborted(signal)
    return ids.filter((id) => id.startsWith(beginning)).sort()
  }

  async *list({ signal, cwd }: ListOptions): AsyncGenerator<SessionSummary, undefined, undefined> {
    const { listSessions } = await import('./existing.ts')
    const { directory } = this.#options
    const load = (id: SessionId) => this.load(id, { signal })
    for await (const summary of listSessions({ directory, signal, load })) {
      if (cwd === undefined || (summary.cwd === cwd && summary.fault === undefined)) yield summary
    }
  }

  #path(id: SessionId, ending: string): string {
    return sessionPath(this.#options.directory, id, ending)
  }

  #requireSession(id: SessionId): void {
    if (exists(this.#path(id, '.json'))) return
    throw new PipeError('not_found', `there is no session ${id} in ${this.#options.directory}`)
  }

  /** Imports the reader late, as the other methods do, so that a run that only writes never loads it. */
  async #read(id: SessionId, { signal, ifLost }: ReadingOptions): Promise<Document> {
    const { readDocument } = await import('./existing.ts')
    const document = await readDocument(this.#path(id, '.json'), this.#reading(signal))
    if (ifLost === undefined || document.damage.length === 0) return document
    const lost = { system_prompt: ifLost.systemPrompt, ...omitUndefined({ cwd: ifLost.cwd }) }
    return { ...document, fields: { ...lost, ...document.fields } }
  }

  #reading(signal: AbortSignal): DocumentReadOptions {
    return { signal, migrations: this.#options.migrations ?? migrations }
  }

  async #load(id: SessionId, document: Document, signal: AbortSignal): Promise<LoadedSession> {
    const { loadSession } = await import('./existing.ts')
    const readBlobs = async (blobs: readonly DiskBlob[]) =>
      (await import('./blob-files.ts')).readBlobs(blobs, this.#path(id, '.blobs'))
    return loadSession(document, { id, readBlobs }, signal)
  }

  async #begin(
    { id, systemPrompt, createdAt, cwd }: Session,
    { size, appendPoint }: Document,
  ): Promise<Begin> {
    const { beginAfter, beginAnew } = await import('./existing.ts')
    const path = this.#path(id, '.json')
    const aside = () => this.#path(id, asideEnding(this.#options.clock))
    if (appendPoint !== undefined) return beginAfter(path, { size, appendPoint }, aside)
    const defaults = { id, system_prompt: systemPrompt, created_at: createdAt, ...omitUndefined({ cwd }) }
    // The opening call's signal must not stop the first append. The lock keeps the file unchanged until then.
    return beginAnew({ path, defaults, aside }, this.#reading(new AbortController().signal))
  }

  #log(
    id: SessionId,
    parts: Pick<LogParts, 'lock' | 'begin' | 'isNew' | 'state' | 'updatedAt' | 'extras'>,
  ): SessionLog {
    const { clock, directory } = this.#options
    tighten(directory, 0o700)
    tighten(this.#path(id, '.json'), 0o600)
    return new FileLog({
      id,
      clock,
      blobs: this.#path(id, '.blobs'),
      ...parts,
    })
  }
}

/** Returns the folder of a session whose file names none: that of the first who continues it. */
function folderOf({ cwd }: Session, { ifLost }: ReadingOptions): JsonObject {
  return cwd === undefined ? omitUndefined({ cwd: ifLost?.cwd }) : {}
}

function exists(path: string): boolean {
  return onFile(path, 'read', () => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
}

/** Releases the lock if the work fails. */
async function releasingOnFailure<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    lock.release()
    throw error
  }
}
