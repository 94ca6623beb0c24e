import type pg from 'pg'
import { type Clock, withinLimit } from '../clock.ts'
import { hasCode, PipeError, untilAborted } from '../error.ts'
import { OneByOne } from '../records/one-by-one.ts'
import { HeldLocks, lockStatement, ownStatement } from './advisory-lock.ts'
import type { Database, Query } from './database.ts'
import { isPooledByStatement, poolerAdvice } from './database-error.ts'
import { unlessSilent } from './farewell.ts'

/** Milliseconds between signs of life, and until a missing answer counts as a lost connection. */
const beatMs = 5_000
const answerMs = 5_000
/** The server forgets a connection that has been silent for so long, which is more than both together. */
const silenceMs = 30_000

/** Settings by which the server notices that the other side is gone. */
const watchful = `
select set_config(name, value, false) from pg_settings join (values
  ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'),
  ('tcp_user_timeout', '${silenceMs}'), ('idle_session_timeout', '${silenceMs}')
) as wanted(name, value) using (name)`

/** Whether a pooler is between, and to whom it lends a connection: to one client at a time, or to others between statements. */
export type Pooling = 'none' | 'by session' | 'shared'

interface Listeners {
  /** Events were appended. */
  onNotice(): void
  /** The connection has ended. Called once. */
  onEnd(): void
}

/** One connection that shows signs of life while it is open. */
export class DedicatedClient {
  readonly #database: Database
  readonly #clock: Clock
  readonly #listeners: Listeners
  readonly #client: pg.Client
  readonly #ended = new AbortController()
  readonly #locks = new HeldLocks()
  readonly #queries = new OneByOne()
  /** Fails the statement that runs. */
  #fail = () => {}
  #stopBeating = () => {}
  #pooling: Pooling = 'none'
  /** The server's process that answered first. */
  #backend: number | undefined
  #ending: Promise<void> | undefined

  constructor(database: Database, clock: Clock, listeners: Listeners) {
    this.#database = database
    this.#clock = clock
    this.#listeners = listeners
    this.#client = database.newClient()
  }

  /** Fires once the connection has ended, or does not answer. */
  get lost(): AbortSignal {
    return this.#ended.signal
  }

  /** Throws `network`, `config`. */
  async connect(): Promise<void> {
    this.#client.on('notification', () => this.#listeners.onNotice())
    this.#client.on('error', () => this.#end())
    this.#client.on('end', () => this.#end())
    try {
      // The driver never settles a connection that is ended while it begins.
      await new Promise<void>((resolve, reject) => {
        this.#fail = () => reject(this.#gone())
        this.#client.connect().then(() => resolve(), reject)
      })
      this.#pooling = await this.#findPooling()
      if (this.#pooling === 'shared') return
      await this.#query(watchful)
      await this.#query('listen pipe_events')
      this.#database.noteWritable()
    } catch (error) {
      this.#end()
      throw this.#database.failure(error)
    }
    this.#stopBeating = this.#clock.every(beatMs, () => this.#beat())
  }

  get pooling(): Pooling {
    return this.#pooling
  }

  /**
   * Takes a lock; returns false if it is held, by this process too. If a pooler has lent the connection to others, it ends: no lock
   * lasts there. Throws `network`, `config`.
   */
  lock(name: string): Promise<boolean> {
    return this.#locks.take(name, async () => {
      const [row] = await this.#query<{ is_own: boolean; is_taken: boolean }>(lockStatement, [
        name,
        this.#backend,
      ])
      if (row?.is_own !== true) throw this.#foundShared()
      return row.is_taken
    })
  }

  /** Throws `network`, unless the connection has ended and taken the lock with it. */
  unlock(name: string): Promise<void> {
    return this.#locks.release(name, async () => {
      if (this.lost.aborted) return
      try {
        await this.#query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
      } catch (error) {
        if (!this.lost.aborted) throw error
      }
    })
  }

  /** Ends the connection, and with it its locks, unless it has ended. Does not wait for a server that is silent. */
  async end(): Promise<void> {
    this.#end()
    await unlessSilent(this.#ending, this.#clock)
  }

  /** A pooler hides the server's process, and one by transaction lends it to others meanwhile. */
  async #findPooling(): Promise<Pooling> {
    const own = await this.#ownBackend()
    this.#backend = own
    if (own === beyondTypes(this.#client).processID) return 'none'
    // It may lend its connections in turn, or the last one first.
    const isOther = async () => (await this.#ownBackend()) !== own
    const isLent = async (query: Query) => (await backendOf(query)) === own || (await isOther())
    if (await isOther()) return 'shared'
    try {
      return (await this.#beside(isLent)) || (await isOther()) ? 'shared' : 'by session'
    } catch (error) {
      if (isPooledByStatement(error)) return 'shared'
      throw error
    }
  }

  /** Runs a transaction on a second connection. Throws `network` if a pooler has none. */
  async #beside<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    try {
      return await withinLimit({ clock: this.#clock, ms: answerMs, signal: this.lost }, (signal) =>
        untilAborted(this.#database.transaction(work, { signal }), signal),
      )
    } catch (error) {
      if (!hasCode(error, 'aborted')) throw error
      throw new PipeError('network', `${this.#database.shown} gives no second connection: ${poolerAdvice}`)
    }
  }

  /** Runs one statement after another: the driver will queue them no more. Throws `network` if there is no answer in time. */
  #query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    return this.#queries.run(() => this.#queryNow<Row>(text, values))
  }

  async #queryNow<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) {
    if (this.lost.aborted) throw this.#gone()
    const stop = this.#clock.after(answerMs, () => this.#end())
    try {
      return await new Promise<readonly Row[]>((resolve, reject) => {
        this.#fail = () => reject(this.#gone())
        this.#client.query<Row>(text, [...values]).then(({ rows }) => resolve(rows), reject)
      })
    } catch (error) {
      throw this.#database.failure(error)
    } finally {
      stop()
    }
  }

  #ownBackend(): Promise<number | undefined> {
    return backendOf((text) => this.#query(text))
  }

  /** Asks whether the server still has the same process for this connection, with all its locks. */
  #beat(): void {
    const check = this.#query<{ is_own: boolean }>(ownStatement, [this.#backend, this.#locks.taken])
    check.then(
      ([row]) => {
        if (row?.is_own !== true) this.#foundShared()
      },
      // A missing answer ends the connection, which says it all.
      () => undefined,
    )
  }

  /** Ends the connection, whose locks may be anybody's. Returns the error that says so. */
  #foundShared(): PipeError {
    this.#pooling = 'shared'
    this.#end()
    return sharedError(this.#database.shown)
  }

  #end(): void {
    if (this.lost.aborted) return
    this.#stopBeating()
    this.#ended.abort()
    this.#fail()
    this.#listeners.onEnd()
    // It is of no interest how a connection ends that is not used any more.
    this.#ending = this.#client.end().catch(() => undefined)
    beyondTypes(this.#client).unref?.()
  }

  #gone(): PipeError {
    // Without a process no statement was answered: a pooler lets clients in before it has a connection for them.
    const isWaiting = this.#backend === undefined
    const why = isWaiting ? ` before its first answer; ${poolerAdvice}` : ''
    return new PipeError('network', `the connection to ${this.#database.shown} has ended${why}`)
  }
}

/** The error of a lock that a pooler would give to others. */
export function sharedError(shown: string): PipeError {
  return new PipeError(
    'config',
    `${shown} is a transaction pooler, so no lock lasts: connect to the server itself, or use session pooling`,
  )
}

async function backendOf(query: Query): Promise<number | undefined> {
  const [row] = await query<{ pid: number }>('select pg_backend_pid() as pid')
  return row?.pid
}

/** Members of the driver's client that its types lack. */
function beyondTypes(client: pg.Client): { readonly processID?: unknown; unref?(): void } {
  return Object(client)
}
