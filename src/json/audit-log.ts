import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownAgent } from '../actor.ts'
import type { AuditEntry, AuditLog } from '../audit.ts'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { OpenFile } from '../files/open-file.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { fileError } from '../files/system-error.ts'
import { type NewId, readSessionId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import type { Redact } from '../redaction.ts'
import { asideEnding } from './aside.ts'
import { encodeEntry } from './audit-entry.ts'
import { auditVersion, type Seal, sealLine, unsealed } from './audit-line.ts'
import { findEnd } from './audit-tail.ts'
import { readFrom, writeWhole } from './descriptor.ts'

export interface AuditLogOptions {
  /** Absolute. Made with mode 0700 when it is first written to. */
  readonly directory: string
  /** The session whose lock the writer holds, or the name of a log that is about none. */
  readonly session: string
  /** The folder that the session is about. */
  readonly cwd: string
  readonly clock: Clock
  readonly newId: Pick<NewId, 'message'>
  readonly redact: Redact
}

/**
 * The audit log of a session as a file: `<session id>.jsonl`, a header line, then a line an entry, each with the hash of the one
 * before. It appears with its first entry. A line that a crash has cut is moved to `<session id>.torn-<time>`, and a line says so.
 */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  return new FileAuditLog(options)
}

/** How the name of a log ends, behind the id of its session. */
export const auditEnding = '.jsonl'

/** Where the audit log of a session stands. Throws `input` for what is no session id. */
export function auditPath(directory: string, session: string): string {
  return join(directory, readSessionId(session) + auditEnding)
}

class FileAuditLog implements AuditLog {
  readonly #options: AuditLogOptions
  readonly #path: string
  #file: OpenFile | undefined
  /** The last line. */
  #seal: Seal = unsealed
  /** Bytes of the whole lines, and how many of them are on the disk. */
  #size = 0
  #synced = 0
  #syncing: Promise<void> | undefined
  /** Entries that are not written yet. */
  #waiting: JsonObject[] = []
  #failure: unknown
  #closed: Promise<void> | undefined

  constructor(options: AuditLogOptions) {
    this.#options = options
    this.#path = auditPath(options.directory, options.session)
  }

  append(entry: AuditEntry): void {
    if (this.#closed !== undefined) throw new PipeError('conflict', `${this.#path} is closed`)
    if (this.#failure !== undefined) throw this.#failure
    this.#waiting.push(this.#stamped(entry))
  }

  settle(): void {
    this.#options.clock.after(0, () => {
      try {
        this.#writeWaiting()
      } catch (error) {
        this.#failure = error
      }
    })
  }

  async sync(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    this.#writeWaiting()
    const size = this.#size
    while (this.#file !== undefined && this.#synced < size) {
      this.#syncing ??= this.#syncWritten(this.#file)
      await this.#syncing
    }
  }

  /** All that is written by now. Whoever comes meanwhile shares the next one. */
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
    } finally {
      this.#file?.close()
    }
  }

  #writeWaiting(): void {
    const entries = this.#waiting
    this.#waiting = []
    try {
      for (const fields of entries) {
        this.#file ??= this.#open()
        this.#write(this.#file, fields)
      }
    } catch (error) {
      throw fileError(error, this.#path, 'write')
    }
  }

  #open(): OpenFile {
    makePrivateFolder(this.#options.directory)
    const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
    const descriptor = openSync(this.#path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
    try {
      return this.#begin(descriptor)
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
  }

  /** Finds the last line, puts aside what is torn after it, and writes the header of a new log. */
  #begin(descriptor: number): OpenFile {
    const { clock, session, cwd } = this.#options
    const end = findEnd(descriptor)
    this.#size = end.size
    this.#seal = end.seal
    const aside = end.torn > 0 ? this.#putAside(descriptor, end.torn) : undefined
    const file = new OpenFile(this.#path, descriptor, { isNew: end.size === 0 })
    if (file.isNew) {
      const created_at = new Date(clock.now()).toISOString()
      this.#write(file, { type: 'audit', version: auditVersion, session_id: session, created_at, cwd })
    }
    if (aside !== undefined) this.#write(file, this.#stamped(aside))
    return file
  }

  #putAside(descriptor: number, torn: number): AuditEntry {
    const { session, directory, clock } = this.#options
    const name = session + asideEnding(clock)
    writeFileSync(join(directory, name), readFrom(descriptor, this.#size), { flag: 'wx', mode: 0o600 })
    ftruncateSync(descriptor, this.#size)
    return { decision: 'log_repaired', actor: ownAgent, audit: { torn_bytes: torn, kept_as: name } }
  }

  #stamped(entry: AuditEntry): JsonObject {
    const { clock, newId, redact } = this.#options
    const timestamp = new Date(clock.now()).toISOString()
    return { id: newId.message(), timestamp, ...encodeEntry(entry, redact) }
  }

  /** Not through the thread pool. Half a line is taken back. */
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
