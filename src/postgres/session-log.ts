import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { sha256 } from '../files/lazy-crypto.ts'
import type { SessionId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import type { Message } from '../message.ts'
import { OneByOne } from '../records/one-by-one.ts'
import type { SessionLog, SessionState } from '../session.ts'
import type { Database } from './database.ts'
import type { Blob, SessionFormat } from './formats.ts'
import type { SessionWriter } from './session-writer.ts'

export interface SessionLogParts {
  readonly id: SessionId
  readonly database: Database
  readonly format: SessionFormat
  readonly clock: Clock
  readonly writer: SessionWriter
  readonly header: JsonObject
  readonly state: SessionState
  /** The stored state, whose unknown fields are kept; empty in a new session. */
  readonly kept: JsonObject
  /** The number of stored messages; 0 in a new session, which has no row yet. */
  readonly count: number
  /** The first words, as a list shows them; empty if there are none yet. */
  readonly beginning: JsonObject
  /** Absent in a new session. */
  readonly updatedAt?: string
}

/** The owner of the session, or nothing. Keeps later owners waiting until the statement ends. */
const owner = 'with owner as (select from pipe.writers where session_id = $1 and token = $2 for share)'

const insertSession = `saved as (
  insert into pipe.sessions (id, state, beginning, header, created_at, cwd)
  select $1::text, $3::json, $4::json, $5::json, $6::text, $7::text from owner
  on conflict (id) do update set state = excluded.state, beginning = excluded.beginning, written = default)`

const updateSession = `saved as (
  update pipe.sessions set state = $3::json, beginning = $4::json, written = default
  from owner where id = $1::text)`

const insertMessage = (first: number) => `added as (
  insert into pipe.messages (session_id, position, body)
  select $1::text, $${first}::integer, $${first + 1}::json from owner
  on conflict do nothing)`

const isOwner = 'select exists (select from owner) as is_owner'

/** Writes one session: a row with its state, and a row for each message. A message is stored when its append resolves. */
export class DatabaseSessionLog implements SessionLog {
  readonly id: SessionId
  readonly unsaved = undefined
  readonly #parts: SessionLogParts
  readonly #never = new AbortController().signal
  #state: SessionState
  #updatedAt: string | undefined
  #count: number
  #beginning: JsonObject
  readonly #calls = new OneByOne()
  #closed: Promise<void> | undefined

  constructor(parts: SessionLogParts) {
    this.id = parts.id
    this.#parts = parts
    this.#state = parts.state
    this.#updatedAt = parts.updatedAt
    this.#count = parts.count
    this.#beginning = parts.beginning
  }

  async append(message: Message, state: SessionState = {}): Promise<void> {
    this.#requireOpen()
    await this.#calls.run(() => this.#append(message, { ...this.#state, ...state }))
  }

  async update(state: SessionState): Promise<void> {
    this.#requireOpen()
    await this.#calls.run(async () => {
      const next = { ...this.#state, ...state }
      if (this.#count > 0) await this.#save(next, this.#updatedAt ?? this.#now())
      this.#state = next
    })
  }

  requireHeld(): void {
    this.#parts.writer.requireHeld()
  }

  sync(): Promise<void> {
    return this.#calls.run(() => Promise.resolve())
  }

  close(): Promise<void> {
    this.#closed ??= this.#calls.run(() => this.#parts.writer.release())
    return this.#closed
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) throw new PipeError('conflict', `session ${this.id} is closed`)
  }

  async #append(message: Message, state: SessionState): Promise<void> {
    this.requireHeld()
    const { format } = this.#parts
    const encoded = await format.encodeMessage(message, (bytes) => this.#writeBlob(bytes))
    const beginning = 'opening' in this.#beginning ? this.#beginning : format.beginningOf([message])
    await this.#save(state, this.#now(), { body: JSON.stringify(encoded), beginning })
    this.#beginning = beginning
    this.#state = state
    this.#count++
  }

  async #save(
    state: SessionState,
    updatedAt: string,
    added?: { readonly body: string; readonly beginning: JsonObject },
  ): Promise<void> {
    this.requireHeld()
    const { id, database, format, writer, header, kept } = this.#parts
    const isFirst = this.#count === 0
    const encoded = JSON.stringify(format.encodeState(state, updatedAt, kept))
    const values: unknown[] = [
      ...[id, writer.token, encoded, JSON.stringify(added?.beginning ?? this.#beginning)],
      ...(isFirst ? [JSON.stringify(header), header['created_at'], header['cwd'] ?? null] : []),
    ]
    const steps = [owner, isFirst ? insertSession : updateSession]
    if (added !== undefined) {
      steps.push(insertMessage(values.length + 1))
      values.push(this.#count, added.body)
    }
    const statement = `${steps.join(', ')} ${isOwner}`
    // The caller's signal must not leave it open whether the message is stored.
    const [row] = await database.write<{ is_owner: boolean }>(statement, values, { signal: this.#never })
    if (row?.is_owner !== true) throw writer.overtaken()
    this.#updatedAt = updatedAt
  }

  async #writeBlob(bytes: Buffer): Promise<Blob> {
    const blob = { sha256: sha256(bytes), size: bytes.length }
    await this.#parts.database.write(
      'insert into pipe.blobs (session_id, sha256, bytes) values ($1, $2, $3) on conflict do nothing',
      [this.id, blob.sha256, bytes],
      { signal: this.#never },
    )
    return blob
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString()
  }
}
