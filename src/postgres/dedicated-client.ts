import type pg from 'pg'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import type { Database, Query } from './database.ts'
import { databaseError } from './database-error.ts'
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

interface Listeners {
  /** Events were appended. */
  onNotice(): void
  /** The connection has ended. Called once. */
  onEnd(): void
}

/** One connection that shows signs of life while it is open. */
export class DedicatedClient {
  /** The names of its locks. */
  readonly held = new Set<string>()
  readonly #database: Database
  readonly #clock: Clock
  readonly #listeners: Listeners
  readonly #client: pg.Client
  readonly #ended = new AbortController()
  #last: Promise<unknown> = Promise.resolve()
  /** Fails the statement that runs. */
  #fail = () => {}
  #stopBeating = () => {}
  #isShared = false
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
      await this.#client.connect()
      await this.query(watchful)
      await this.query('listen pipe_events')
      this.#isShared = await this.#findSharers()
    } catch (error) {
      this.#end()
      throw databaseError(error, this.#database.shown)
    }
    this.#stopBeating = this.#clock.every(beatMs, () => this.#beat())
  }

  /** Runs one statement after another: the driver will queue them no more. Throws `network` if there is no answer in time. */
  query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    const run = this.#last.then(() => this.#query<Row>(text, values))
    this.#last = run.catch(() => undefined)
    return run
  }

  /** Whether a pooler gives the connection to others between statements: then no lock lasts and no notification arrives. */
  get isShared(): boolean {
    return this.#isShared
  }

  /** Ends the connection, and with it its locks, unless it has ended. Does not wait for a server that is silent. */
  async end(): Promise<void> {
    this.#end()
    await unlessSilent(this.#ending, this.#clock)
  }

  /** A pooler hides the server's process, and one by transaction lends it to others meanwhile. */
  async #findSharers(): Promise<boolean> {
    const { processID: announced } = beyondTypes(this.#client)
    const own = await backendOf((text) => this.query(text))
    if (own === announced) return false
    const isLent = async (query: Query) =>
      (await backendOf(query)) === own || (await backendOf((text) => this.query(text))) !== own
    return this.#database.transaction(isLent, { signal: this.lost })
  }

  async #query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) {
    if (this.lost.aborted) throw this.#gone()
    const stop = this.#clock.after(answerMs, () => this.#end())
    try {
      return await new Promise<readonly Row[]>((resolve, reject) => {
        this.#fail = () => reject(this.#gone())
        this.#client.query<Row>(text, [...values]).then(({ rows }) => resolve(rows), reject)
      })
    } catch (error) {
      throw databaseError(error, this.#database.shown)
    } finally {
      stop()
    }
  }

  #beat(): void {
    // A missing answer ends the connection, which says it all.
    this.query('select 1').catch(() => undefined)
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
    return new PipeError('network', `the connection to ${this.#database.shown} has ended`)
  }
}

async function backendOf(query: Query): Promise<number | undefined> {
  const [row] = await query<{ pid: number }>('select pg_backend_pid() as pid')
  return row?.pid
}

/** Members of the driver's client that its types lack. */
function beyondTypes(client: pg.Client): { readonly processID?: unknown; unref?(): void } {
  return Object(client)
}
