import type { AuditEntry, AuditLog } from '../audit.ts'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { readSessionId, type SessionId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import { lockKey } from './advisory-lock.ts'
import type { Database } from './database.ts'
import type { Schema } from './database-schema.ts'
import type { AuditFormat, Seal } from './formats.ts'

export interface AuditLogParts {
  readonly database: Database
  readonly schema: Schema
  readonly format: AuditFormat
  readonly clock: Clock
  /** The session whose lock the writer holds. */
  readonly session: SessionId
  /** The working folder of the session. */
  readonly cwd: string
  /** The attempt at a task for which it writes. Absent: none. */
  readonly attempt?: number | undefined
  /** Throws `conflict` once another process may write the session. */
  readonly requireHeld?: () => void
}

/** Creates the audit log of a session: a row for each line that its file would have. No entry is written once a newer attempt has begun. */
export function createAuditLog(parts: AuditLogParts): AuditLog {
  return new DatabaseAuditLog(parts)
}

/** Lines written at a time. */
const batchSize = 200

/** Returns the rows that are in place. A row that another writer has put there is not. */
const addLines = `
with writer as (select attempt from pipe.writers where session_id = $1 for share)
insert into pipe.audit_lines as l (session_id, seq, line)
select $1, seq, line from unnest($3::integer[], $4::text[]) as new(seq, line)
where not exists (select from writer where attempt > $2)
on conflict (session_id, seq) do update set line = excluded.line where l.line = excluded.line
returning seq`

class DatabaseAuditLog implements AuditLog {
  readonly unsaved = undefined
  readonly #parts: AuditLogParts
  readonly #never = new AbortController().signal
  /** The last written line; `undefined` before it was looked for. */
  #seal: Seal | undefined
  #waiting: JsonObject[] = []
  #failure: unknown
  #writing: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(parts: AuditLogParts) {
    this.#parts = parts
  }

  get head(): string | undefined {
    return this.#seal?.hash
  }

  append(entry: AuditEntry): void {
    if (this.#closed !== undefined)
      throw new PipeError('conflict', `the audit log of ${this.#parts.session} is closed`)
    this.#waiting.push(this.#parts.format.encode(entry))
  }

  settle(): void {
    if (this.#failure !== undefined) throw this.#failure
    // The next `sync` or `settle` throws what fails here.
    this.#write().catch(() => undefined)
  }

  async sync(): Promise<void> {
    await this.#write()
  }

  close(): Promise<void> {
    this.#closed ??= this.#write()
    return this.#closed
  }

  /** Writes what waits, in order. Entries that fail keep waiting. */
  async #write(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing.catch(() => undefined)
    if (this.#waiting.length === 0) return
    this.#writing = this.#writeWaiting()
    try {
      await this.#writing
      this.#failure = undefined
    } catch (error) {
      this.#failure = error
      // The end of the table is unknown now.
      this.#seal = undefined
      throw error
    } finally {
      this.#writing = undefined
    }
  }

  async #writeWaiting(): Promise<void> {
    const { session, cwd, clock, format, schema, requireHeld } = this.#parts
    requireHeld?.()
    await schema.ensure({ signal: this.#never })
    this.#seal ??= await this.#findEnd()
    if (this.#seal.seq === 0) {
      const createdAt = new Date(clock.now()).toISOString()
      this.#seal = await this.#add(this.#seal, [format.header({ session, cwd, createdAt })])
    }
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchSize)
      this.#seal = await this.#add(this.#seal, batch)
      this.#waiting.splice(0, batch.length)
    }
  }

  async #findEnd(): Promise<Seal> {
    const { database, format, session } = this.#parts
    const [last] = await database.read<{ seq: number; line: string }>(
      'select seq, line from pipe.audit_lines where session_id = $1 order by seq desc limit 1',
      [session],
      { signal: this.#never },
    )
    return last === undefined ? format.unsealed : format.sealOf(last.line, last.seq)
  }

  async #add(after: Seal, entries: readonly JsonObject[]): Promise<Seal> {
    const { database, format, session, attempt } = this.#parts
    let last = after
    const lines = entries.map((fields) => {
      const sealed = format.seal(last, fields)
      last = sealed.seal
      return sealed
    })
    const values = [
      ...[session, attempt ?? null],
      ...[lines.map(({ seal }) => seal.seq), lines.map(({ line }) => line)],
    ]
    // All of them or none: an entry after a foreign one would break the chain.
    await database.transaction(
      async (query) => {
        if ((await query(addLines, values)).length === lines.length) return
        throw new PipeError(
          'conflict',
          `the audit log of session ${session} can no longer be written: another process has taken it over`,
        )
      },
      { signal: this.#never },
    )
    return last
  }
}

/** Reads the audit logs of a database. */
export interface AuditLogs {
  /** Returns the ids of sessions with a log that begin so, sorted. */
  find(beginning: string, options: { readonly signal: AbortSignal }): Promise<readonly SessionId[]>
  /** Reads the lines of a log, in order; none if there is no log. */
  lines(session: SessionId, options: { readonly signal: AbortSignal }): AsyncGenerator<string>
  /** Whether a process writes the session now. */
  isGrowing(session: SessionId, options: { readonly signal: AbortSignal }): Promise<boolean>
}

/** Lines read at a time. */
const pageSize = 500

export function createAuditLogs({ database, schema }: Pick<AuditLogParts, 'database' | 'schema'>): AuditLogs {
  return {
    find: async (beginning, options) => {
      if (!(await schema.isThere(options))) return []
      const rows = await database.read<{ session_id: string }>(
        'select session_id from pipe.audit_lines where seq = 1 and starts_with(session_id, $1) order by session_id',
        [beginning],
        options,
      )
      return rows.map(({ session_id }) => readSessionId(session_id))
    },
    async *lines(session, options) {
      if (!(await schema.isThere(options))) return
      const page = `select seq, line from pipe.audit_lines where session_id = $1 and seq > $2 order by seq limit ${pageSize}`
      for (let after = 0; ; ) {
        const rows = await database.read<{ seq: number; line: string }>(page, [session, after], options)
        for (const { seq, line } of rows) {
          after = seq
          yield line
        }
        if (rows.length < pageSize) return
      }
    },
    isGrowing: async (session, options) => {
      const held = await database.read(
        `select from pg_locks join pg_database on oid = database
         where datname = current_database() and locktype = 'advisory' and objsubid = 1
           and ${lockKey} = hashtextextended($1, 0)`,
        [`pipe session ${session}`],
        options,
      )
      return held.length > 0
    },
  }
}
