import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { sha256 } from '../files/lazy-crypto.ts'
import { isSessionId, readSessionId, type SessionId } from '../id.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import {
  countOpen,
  type LoadedSession,
  type NewSession,
  type ReadingOptions,
  type SessionLog,
  type SessionStore,
  type SessionSummary,
} from '../session.ts'
import type { Schema } from './database-schema.ts'
import type { Blob, SessionFormat } from './formats.ts'
import { DatabaseSessionLog } from './session-log.ts'
import { type SessionWriter, takeSession, type WriterParts } from './session-writer.ts'

export interface SessionStoreParts extends WriterParts {
  readonly schema: Schema
  readonly format: SessionFormat
  readonly clock: Clock
}

/**
 * Creates a store of sessions in the schema `pipe`. A session appears with its first message. With an attempt, no writer of an earlier
 * attempt can write to a session once this store has opened it.
 */
export function createSessionStore(parts: SessionStoreParts): SessionStore {
  return new DatabaseSessionStore(parts)
}

interface Cancellable {
  readonly signal: AbortSignal
}

/** Sessions listed at a time. */
const pageSize = 50

interface Found {
  readonly header: string
  readonly state: string
  readonly beginning: string
  readonly messages: readonly { readonly position: number; readonly body: string }[]
}

class DatabaseSessionStore implements SessionStore {
  readonly #parts: SessionStoreParts

  constructor(parts: SessionStoreParts) {
    this.#parts = parts
  }

  async create(session: NewSession, { signal }: Cancellable): Promise<SessionLog> {
    const { id } = session
    readSessionId(id)
    await this.#parts.schema.ensure({ signal })
    const writer = await takeSession(id, this.#parts, signal)
    return releasingOnFailure(writer, async () => {
      if (await this.#exists(id, signal))
        throw new PipeError('conflict', `session ${id} already exists in ${this.#parts.database.shown}`)
      const { database, clock, format } = this.#parts
      const header = format.encodeHeader(session)
      return new DatabaseSessionLog({
        id,
        database,
        format,
        clock,
        writer,
        header,
        state: {},
        kept: {},
        count: 0,
        beginning: {},
      })
    })
  }

  async open(id: SessionId, options: ReadingOptions) {
    const { signal } = options
    await this.#requireThere(id, signal)
    if (!(await this.#exists(id, signal))) throw this.#missing(id)
    const writer = await takeSession(id, this.#parts, signal)
    return releasingOnFailure(writer, async () => {
      const found = await this.#find(id, signal)
      const loaded = await this.#load(id, found, options)
      const { title, usage, costUsd, head, model, lastTurn, pending, movedTo, updatedAt } = loaded.session
      const { database, clock, format } = this.#parts
      const log = new DatabaseSessionLog({
        id,
        database,
        format,
        clock,
        writer,
        updatedAt,
        header: asObject(found.header),
        state: omitUndefined({ title, usage, costUsd, head, model, lastTurn, pending, movedTo }),
        kept: asObject(found.state),
        count: (found.messages.at(-1)?.position ?? -1) + 1,
        beginning: asObject(found.beginning),
      })
      return { log, loaded }
    })
  }

  async load(id: SessionId, options: ReadingOptions): Promise<LoadedSession> {
    await this.#requireThere(id, options.signal)
    return this.#load(id, await this.#find(id, options.signal), options)
  }

  async find(beginning: string, { signal }: Cancellable): Promise<readonly SessionId[]> {
    if (!(await this.#parts.schema.isThere({ signal }))) return []
    const rows = await this.#parts.database.read<{ id: string }>(
      'select id from pipe.sessions where starts_with(id, $1) order by id',
      [beginning],
      { signal },
    )
    return rows.map(({ id }) => readSessionId(id))
  }

  async *list({
    signal,
    cwd,
  }: Cancellable & { readonly cwd?: string }): AsyncGenerator<SessionSummary, undefined, undefined> {
    if (!(await this.#parts.schema.isThere({ signal }))) return
    const page = `
      select id, written, created_at, cwd, header ->> 'parent_session_id' as parent, state::text as state, beginning::text as beginning from pipe.sessions
      where ($1::bigint is null or written < $1) and ($2::text is null or coalesce(state ->> 'moved_to', cwd) = $2) order by written desc limit ${pageSize}`
    for (let before: string | null = null; ; ) {
      const rows: readonly SessionRow[] = await this.#parts.database.read<SessionRow>(
        page,
        [before, cwd ?? null],
        { signal },
      )
      for (const row of rows) {
        before = row.written
        yield summarise(row)
      }
      if (rows.length < pageSize) return
    }
  }

  /** Checks the id despite its type, as it may come from outside. Throws `not_found` if there are no sessions at all. */
  async #requireThere(id: SessionId, signal: AbortSignal): Promise<void> {
    readSessionId(id)
    if (!(await this.#parts.schema.isThere({ signal }))) throw this.#missing(id)
  }

  async #exists(id: SessionId, signal: AbortSignal): Promise<boolean> {
    const found = await this.#parts.database.read('select from pipe.sessions where id = $1', [id], { signal })
    return found.length > 0
  }

  /** Reads all rows of a session as they are at one moment. */
  async #find(id: SessionId, signal: AbortSignal): Promise<Found> {
    const [first, ...messages] = await this.#parts.database.read<{
      position: number
      body: string
      state: string | null
      beginning: string | null
    }>(
      `select -1 as position, header::text as body, state::text as state, beginning::text as beginning
         from pipe.sessions where id = $1
       union all
       select position, body::text, null, null from pipe.messages where session_id = $1
       order by position`,
      [id],
      { signal },
    )
    if (first === undefined || first.state === null || first.beginning === null) throw this.#missing(id)
    return { header: first.body, state: first.state, beginning: first.beginning, messages }
  }

  async #load(
    id: SessionId,
    { header, state, messages }: Found,
    { signal, ifLost }: ReadingOptions,
  ): Promise<LoadedSession> {
    const { format, database } = this.#parts
    const rows = { id, place: `session ${id} in ${database.shown}`, header, state, messages }
    const { session, damage } = await format.load(rows, (blobs) => this.#readBlobs(id, blobs, signal), signal)
    const cwd = session.cwd ?? ifLost?.cwd
    return { session: { ...session, ...omitUndefined({ cwd }) }, damage }
  }

  async #readBlobs(
    id: SessionId,
    blobs: readonly Blob[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#parts.database.read<{ sha256: string; bytes: Buffer }>(
      'select sha256, bytes from pipe.blobs where session_id = $1 and sha256 = any($2)',
      [id, blobs.map((blob) => blob.sha256)],
      { signal },
    )
    const whole = rows.filter((row) => sha256(row.bytes) === row.sha256)
    return new Map(whole.map((row) => [row.sha256, row.bytes.toString('base64')]))
  }

  #missing(id: SessionId): PipeError {
    return new PipeError('not_found', `there is no session ${id} in ${this.#parts.database.shown}`)
  }
}

interface SessionRow {
  readonly id: string
  readonly written: string
  readonly created_at: string
  readonly cwd: string | null
  readonly parent: string | null
  readonly state: string
  readonly beginning: string
}

function summarise({ id, created_at, cwd, parent, state, beginning }: SessionRow): SessionSummary {
  const { updated_at, title, pending, moved_to } = asObject(state)
  const { opening, git_branch } = asObject(beginning)
  return {
    id: readSessionId(id),
    createdAt: created_at,
    updatedAt: textOf(updated_at) ?? created_at,
    ...omitUndefined({
      cwd: textOf(moved_to) ?? cwd ?? undefined,
      parentId: parent !== null && isSessionId(parent) ? parent : undefined,
      title: textOf(title),
      opening: textOf(opening),
      gitBranch: textOf(git_branch),
      pending: Array.isArray(pending) ? countOpen(pending.filter(isJsonObject)) : undefined,
    }),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function asObject(text: string): JsonObject {
  const value = parseJson(text)
  return isJsonObject(value) ? value : {}
}

/** Releases the lock if the work fails. */
async function releasingOnFailure<Result>(
  writer: SessionWriter,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await writer.release()
    throw error
  }
}
