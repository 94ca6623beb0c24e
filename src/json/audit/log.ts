import { accessSync, constants, fstatSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownAgent } from '../../actor.ts'
import type { AuditEntry, AuditLog } from '../../audit.ts'
import { isDiskFull, PipeError } from '../../error.ts'
import { readFrom, writeWhole } from '../../files/descriptor.ts'
import { OpenFile } from '../../files/open-file.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { fileError, systemCode } from '../../files/system-error.ts'
import { readSessionId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import { asideEnding } from '../aside.ts'
import { type Seal, sealLine, unsealed } from './audit-line.ts'
import { type EntryOptions, headerFields, stampEntry } from './format.ts'
import { findEnd } from './tail.ts'

export interface AuditLogOptions extends EntryOptions {
  /** Absolute. Created with mode 0700 at the first write. */
  readonly directory: string
  /** The session whose lock the writer holds, or the name of a log without a session. */
  readonly session: string
  /** The working folder of the session. */
  readonly cwd: string
  /** Throws `conflict` if another process now writes this log. */
  readonly requireHeld?: () => void
}

/**
 * Creates the audit log of a session: `<session id>.jsonl` with a header line and one line per entry, each with the hash of the
 * line before. The file appears with its first entry. Moves a line cut by a crash to `<session id>.torn-<time>` and logs that.
 */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  return new FileAuditLog(options)
}

/** The ending of a log's file name, after its session's id. */
export const auditEnding = '.jsonl'

/** Returns the path of a session's audit log. Throws `input` if the text is not a session id. */
export function auditPath(directory: string, session: string): string {
  return join(directory, readSessionId(session) + auditEnding)
}

class FileAuditLog implements AuditLog {
  readonly #options: AuditLogOptions
  readonly #path: string
  #file: OpenFile | undefined
  /** The last line. */
  #seal: Seal = unsealed
  /** Bytes of the complete lines, and how many of them are synced. */
  #size = 0
  #synced = 0
  #syncing: Promise<void> | undefined
  /** Entries still to be written. */
  #waiting: JsonObject[] = []
  /** The error of the last write, while entries wait for it. */
  #failure: PipeError | undefined
  #closed: Promise<void> | undefined

  constructor(options: AuditLogOptions) {
    this.#options = options
    this.#path = auditPath(options.directory, options.session)
  }

  get unsaved(): PipeError | undefined {
    return isDiskFull(this.#failure) ? this.#failure : undefined
  }

  get head(): string | undefined {
    return this.#seal.hash || undefined
  }

  append(entry: AuditEntry): void {
    if (this.#closed !== undefined) throw new PipeError('conflict', `${this.#path} is closed`)
    this.#waiting.push(stampEntry(entry, this.#options))
  }

  settle(): void {
    if (this.#failure !== undefined) this.#requireWritten()
    this.#requireFolder()
    this.#options.clock.after(0, () => this.#writeWaiting())
  }

  /** Fails before the first request is sent, not after its reply. */
  #requireFolder(): void {
    const { directory } = this.#options
    if (this.#file !== undefined) return
    try {
      makePrivateFolder(directory)
      accessSync(directory, constants.W_OK | constants.X_OK)
    } catch (error) {
      this.#failure = fileError(error, directory, 'write in')
      throw this.#failure
    }
  }

  async sync(): Promise<void> {
    this.#requireWritten()
    const size = this.#size
    while (this.#file !== undefined && this.#synced < size) {
      this.#syncing ??= this.#syncWritten(this.#file)
      await this.#syncing
    }
  }

  /** Syncs everything written so far. Callers that arrive meanwhile share the next sync. */
  async #syncWritten(file: OpenFile): Promise<void> {
    const size = this.#size
    try {
      await file.sync()
      this.#synced = size
    } finally {
      this.#syncing = undefined
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#release()
    return this.#closed
  }

  async #release(): Promise<void> {
    try {
      await this.sync()
    } catch (error) {
      if (!isDiskFull(error)) throw error
      throw new PipeError('storage', `the end of the audit log could not be saved: ${error.message}`, {
        cause: error,
        details: error.details,
      })
    } finally {
      this.#waiting = []
      this.#file?.close()
    }
  }

  #requireWritten(): void {
    this.#writeWaiting()
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Writes the waiting entries. An entry that fails keeps waiting, and so do those after it. */
  #writeWaiting(): void {
    if (this.#waiting.length === 0) return
    let written = 0
    try {
      this.#options.requireHeld?.()
      const file = this.#writable()
      for (const fields of this.#waiting) {
        this.#write(file, fields)
        written++
      }
      this.#failure = undefined
    } catch (error) {
      this.#failure = fileError(error, this.#path, 'write')
    }
    this.#waiting.splice(0, written)
  }

  /** Returns the open log. Finds its end at first use and after a failure, which may leave anything there. */
  #writable(): OpenFile {
    if (this.#file !== undefined && this.#failure === undefined) return this.#file
    this.#file ??= this.#open()
    this.#findEnd(this.#file)
    return this.#file
  }

  #open(): OpenFile {
    makePrivateFolder(this.#options.directory)
    const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
    const descriptor = openSync(this.#path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
    return new OpenFile(this.#path, descriptor, { isNew: fstatSync(descriptor).size === 0 })
  }

  /** Finds the last line, moves torn bytes after it to another file, and writes the header of a new log. */
  #findEnd(file: OpenFile): void {
    const { clock, session, cwd } = this.#options
    const end = findEnd(file.descriptor)
    this.#size = end.size
    this.#synced = Math.min(this.#synced, end.size)
    this.#seal = end.seal
    if (end.torn > 0)
      this.#waiting.unshift(stampEntry(this.#putAside(file.descriptor, end.torn), this.#options))
    if (end.size > 0) return
    const createdAt = new Date(clock.now()).toISOString()
    this.#write(file, headerFields({ session, cwd, createdAt }))
  }

  #putAside(descriptor: number, torn: number): AuditEntry {
    const { session, directory, clock } = this.#options
    const name = session + asideEnding(clock)
    const path = join(directory, name)
    try {
      writeFileSync(path, readFrom(descriptor, this.#size), { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') rmSync(path, { force: true })
      throw error
    }
    ftruncateSync(descriptor, this.#size)
    return { decision: 'log_repaired', actor: ownAgent, audit: { torn_bytes: torn, kept_as: name } }
  }

  /** Writes synchronously, without the thread pool. Removes a partial line on failure. */
  #write({ descriptor }: OpenFile, fields: JsonObject): void {
    const { line, seal } = sealLine(this.#seal, fields)
    const bytes = Buffer.from(`${line}\n`)
    try {
      writeWhole(descriptor, bytes)
    } catch (error) {
      if (fstatSync(descriptor).size > this.#size) ftruncateSync(descriptor, this.#size)
      throw error
    }
    this.#size += bytes.length
    this.#seal = seal
  }
}
