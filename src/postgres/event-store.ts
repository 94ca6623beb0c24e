import type { Clock } from '../clock.ts'
import { hasCode, PipeError, throwIfAborted } from '../error.ts'
import {
  type AppendOptions,
  type EventStore,
  overtaken,
  type Projection,
  requireProjectionName,
  type SavedProjection,
  type StoredEvent,
} from '../event-store.ts'
import type { NewId } from '../id.ts'
import { type JsonObject, parseJson } from '../json-value.ts'
import { onlyOnce } from '../records/only-once.ts'
import type { TaskEvent } from '../task.ts'
import type { Database } from './database.ts'
import { isReadOnly } from './database-error.ts'
import type { Schema } from './database-schema.ts'
import type { DedicatedConnection } from './dedicated-connection.ts'
import type { EventFormat } from './formats.ts'

export interface EventStoreParts {
  readonly database: Database
  readonly schema: Schema
  readonly dedicated: DedicatedConnection
  readonly format: EventFormat
  readonly clock: Clock
  readonly newId: Pick<NewId, 'message'>
  /** Warns the user about damage in one line. */
  readonly warn: (line: string) => void
}

/**
 * Creates a store of events in the table `pipe.events`. An append is one call of a function of the database, which takes ids in the order
 * of commits. It may be repeated: the database knows appends by an id of their own.
 */
export function createEventStore(parts: EventStoreParts): EventStore {
  return new DatabaseEventStore(parts)
}

interface Cancellable {
  readonly signal: AbortSignal
}

/** Events read at a time. */
const pageSize = 1_000
/** Milliseconds between looks at a log that is watched. A notification may get lost. */
const lookMs = 3_000
/** Least milliseconds from one look to the next: with many watchers and events, each look at each event would load the database. */
const pauseMs = 100

interface EventRow {
  readonly id: string
  readonly stream_id: string
  readonly seq: string
  readonly created_at: string
  readonly type: string
  readonly payload: string
}

const columns = 'id, stream_id, seq, created_at, type, payload::text as payload'

class DatabaseEventStore implements EventStore {
  readonly #parts: EventStoreParts
  /** Warns about damage, once about each. */
  readonly #warn: (line: string) => void
  #last: Promise<unknown> = Promise.resolve()
  readonly #closing = new AbortController()

  constructor(parts: EventStoreParts) {
    this.#parts = parts
    this.#warn = onlyOnce(parts.warn)
  }

  async ensureSchema(options: Cancellable): Promise<void> {
    this.#requireUsable(options.signal)
    await this.#parts.schema.ensure(options)
    // Whoever creates what is missing is going to write.
    await this.#parts.database.requireWritable(options)
    this.#requireUsable(options.signal)
  }

  async append(
    streamId: string,
    events: readonly TaskEvent[],
    options: AppendOptions,
  ): Promise<readonly StoredEvent[]> {
    this.#requireUsable(options.signal)
    const run = this.#append(streamId, events, options)
    this.#last = Promise.allSettled([this.#last, run])
    return run
  }

  async *readAll({
    signal,
    after = 0,
  }: Cancellable & { readonly after?: number }): AsyncGenerator<StoredEvent, undefined, undefined> {
    if (!(await this.#isThere({ signal }))) return
    for await (const { event } of this.#read(after, signal)) if (event !== undefined) yield event
  }

  async *readStream(
    streamId: string,
    { signal, fromSeq = 1 }: Cancellable & { readonly fromSeq?: number },
  ): AsyncGenerator<StoredEvent, undefined, undefined> {
    if (!(await this.#isThere({ signal }))) return
    const page = `select ${columns} from pipe.events where stream_id = $1 and seq >= $2 order by seq limit ${pageSize}`
    for (let from = fromSeq; ; ) {
      const rows = await this.#parts.database.read<EventRow>(page, [streamId, from], { signal })
      for (const row of rows) {
        from = Number(row.seq) + 1
        const event = this.#decode(row)
        if (event !== undefined) yield event
        this.#requireUsable(signal)
      }
      if (rows.length < pageSize) return
    }
  }

  async readById(id: number, { signal }: Cancellable): Promise<StoredEvent | undefined> {
    if (!(await this.#isThere({ signal }))) return undefined
    const one = `select ${columns} from pipe.events where id = $1`
    const [row] = await this.#parts.database.read<EventRow>(one, [id], { signal })
    return row && this.#decode(row)
  }

  async *watch({
    signal,
    after = 0,
  }: Cancellable & { readonly after?: number }): AsyncGenerator<StoredEvent, never, undefined> {
    const { dedicated, clock } = this.#parts
    const bell = dedicated.bell()
    const either = AbortSignal.any([signal, this.#closing.signal])
    const usable = (error: unknown): never => {
      this.#requireUsable(signal)
      throw error
    }
    try {
      for (let [cursor, lookedAt] = [after, Number.NEGATIVE_INFINITY]; ; ) {
        this.#requireUsable(signal)
        const early = lookedAt + pauseMs - clock.monotonic()
        if (early > 0) await clock.sleep(early, either).catch(usable)
        lookedAt = clock.monotonic()
        bell.reset()
        await this.#listen()
        if (await this.#isThere({ signal })) {
          for await (const { id, event } of this.#read(cursor, signal)) {
            cursor = id
            if (event !== undefined) yield event
          }
        }
        await bell.wait(lookMs, either).catch(usable)
      }
    } finally {
      bell.close()
    }
  }

  async getProjection<State>(
    { name, defaultState, decode }: Projection<State>,
    { signal }: Cancellable,
  ): Promise<SavedProjection<State>> {
    requireProjectionName(name)
    if (!(await this.#isThere({ signal }))) return { cursorEventId: 0, state: defaultState }
    const [row] = await this.#parts.database.read<{ cursor_event_id: string; state: string }>(
      // A cursor beyond the log belongs to a log that was removed.
      `select cursor_event_id, state::text as state from pipe.projections
       where name = $1 and exists (select from pipe.events where id = cursor_event_id)`,
      [name],
      { signal },
    )
    const value = row && parseJson(row.state)
    const state = value === undefined ? undefined : decode(value)
    return row === undefined || state === undefined
      ? { cursorEventId: 0, state: defaultState }
      : { cursorEventId: Number(row.cursor_event_id), state }
  }

  async saveProjection<State>(
    { name, encode }: Projection<State>,
    { cursorEventId, state }: SavedProjection<State>,
    { signal }: Cancellable,
  ): Promise<void> {
    this.#requireUsable(signal)
    requireProjectionName(name)
    await this.#parts.schema.ensure({ signal })
    await this.#parts.database.write(
      `insert into pipe.projections (name, cursor_event_id, state) values ($1, $2, $3)
       on conflict (name) do update set cursor_event_id = excluded.cursor_event_id, state = excluded.state`,
      [name, cursorEventId, JSON.stringify(encode(state))],
      { signal },
    )
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#last
  }

  async #append(
    streamId: string,
    events: readonly TaskEvent[],
    { expectedSeq, signal }: AppendOptions,
  ): Promise<readonly StoredEvent[]> {
    const { clock, newId, format, database, schema } = this.#parts
    await schema.ensure({ signal })
    const createdAt = new Date(clock.now()).toISOString()
    const stamp = (firstId: number, firstSeq: number) =>
      events.map(
        (event, i): StoredEvent => ({ ...event, id: firstId + i, streamId, seq: firstSeq + i, createdAt }),
      )
    const encoded = await format.encode(stamp(1, 1))
    const started = events.findLast((event) => event.type === 'task_started')?.payload.options
    const [row] = await database.write<{ first_id: string | null; first_seq: string }>(
      'select first_id, first_seq from pipe.append_events($1, $2, $3, $4, $5, $6, $7, $8)',
      [
        ...[newId.message(), streamId, expectedSeq ?? null, createdAt],
        encoded.map(({ type }) => type),
        encoded.map(({ payload }) => JSON.stringify(payload)),
        started?.attempt === undefined ? null : (started.sessionId ?? null),
        started?.attempt ?? null,
      ],
      { signal },
    )
    const firstSeq = Number(row?.first_seq)
    if (typeof row?.first_id === 'string') return stamp(Number(row.first_id), firstSeq)
    throw overtaken(streamId, expectedSeq ?? 0, firstSeq - 1)
  }

  /** Reads the events after an id, page by page. Also yields the ids of damaged ones. */
  async *#read(
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly id: number; readonly event: StoredEvent | undefined }, undefined, undefined> {
    const page = `select ${columns} from pipe.events where id > $1 order by id limit ${pageSize}`
    for (let cursor = after; ; ) {
      const rows = await this.#parts.database.read<EventRow>(page, [cursor], { signal })
      for (const row of rows) {
        cursor = Number(row.id)
        yield { id: cursor, event: this.#decode(row) }
        this.#requireUsable(signal)
      }
      if (rows.length < pageSize) return
    }
  }

  #decode({ id, seq, payload, ...row }: EventRow): StoredEvent | undefined {
    const value: JsonObject = {
      ...row,
      id: Number(id),
      seq: Number(seq),
      payload: parseJson(payload) ?? null,
    }
    const event = this.#parts.format.decode(value)
    if (event === undefined)
      this.#warn(`event ${id} in ${this.#parts.database.shown} cannot be read; it was skipped`)
    return event
  }

  /** Listens if it can: without a connection, or to a copy that only reads, the watcher still looks from time to time. */
  async #listen(): Promise<void> {
    try {
      await this.#parts.dedicated.listen()
    } catch (error) {
      if (!isReadOnly(error) && !hasCode(error, 'network')) throw error
    }
  }

  /** Whether there are events to read: reading creates nothing. */
  async #isThere({ signal }: Cancellable): Promise<boolean> {
    this.#requireUsable(signal)
    const isThere = await this.#parts.schema.isThere({ signal })
    this.#requireUsable(signal)
    return isThere
  }

  #requireUsable(signal: AbortSignal): void {
    throwIfAborted(signal)
    if (this.#closing.signal.aborted)
      throw new PipeError('conflict', `the store of events in ${this.#parts.database.shown} is closed`)
  }
}
