import pg from 'pg'
import type { Clock } from '../clock.ts'
import { errorText, hasCode, PipeError, throwIfAborted } from '../error.ts'
import { databaseError, readOnlyRefusal } from './database-error.ts'
import { unlessSilent } from './farewell.ts'
import { findPassword } from './password-file.ts'
import { type DatabaseAddress, readDatabaseUrl } from './url.ts'

export interface DatabaseOptions {
  /** `postgres://…`. The driver takes a missing password from PGPASSWORD. */
  readonly url: string
  /** Path of the file of passwords, in the form of `~/.pgpass`, where there is none so far. It may be missing. */
  readonly passwordFile: string
  readonly clock: Clock
}

interface Cancellable {
  readonly signal: AbortSignal
}

/** Runs statements of one transaction. */
export type Query = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>

/** Milliseconds to wait for a connection, and for the answer to a statement. */
const connectMs = 5_000
const answerMs = 30_000
/** Milliseconds over which statements are repeated once a connection was lost. */
const patienceMs = 20_000
const longestPauseMs = 2_000

/** A database, with a few connections that are opened as they are needed. Errors are those of `databaseError`, and `aborted`. */
export class Database {
  readonly #address: DatabaseAddress
  readonly #clock: Clock
  readonly #pool: pg.Pool
  readonly #passwordFile: string
  #wasConnected = false
  #wasWritable = false
  #ending: Promise<void> | undefined

  /** Throws `config` for a malformed URL, or one that names files that cannot be read. */
  constructor({ url, clock, passwordFile }: DatabaseOptions) {
    this.#address = readDatabaseUrl(url)
    this.#clock = clock
    this.#passwordFile = passwordFile
    this.#requireFiles()
    this.#pool = this.#newPool()
    this.#pool.on('connect', (client) => {
      this.#wasConnected = true
      // The statement that runs fails too, if there is one.
      client.on('error', () => undefined)
    })
    // An idle connection that ends is replaced when the next one is needed.
    this.#pool.on('error', () => undefined)
  }

  /** Its address without the password. */
  get shown(): string {
    return this.#address.shown
  }

  /** Creates a client outside of the pool. */
  newClient(): pg.Client {
    return this.#withPassword(new pg.Client(this.#config()))
  }

  /** Notes that this server writes: whoever only reads in its place is a fail-over, which passes. */
  noteWritable(): void {
    this.#wasWritable = true
  }

  /** Throws `config` if the server only reads, and `network` if one that writes was met before. */
  async requireWritable({ signal }: Cancellable): Promise<void> {
    await this.#patiently(signal, async (client) => {
      const { rows } = await client.query("select current_setting('transaction_read_only') = 'on' as reads")
      if (rows[0]?.reads === true) throw readOnlyRefusal()
    })
    this.noteWritable()
  }

  /** Translates an error of its connections. */
  failure(error: unknown): PipeError {
    return databaseError(error, { shown: this.shown, wasWritable: this.#wasWritable })
  }

  /** Runs a statement that only reads. The signal interrupts it. */
  read<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    { signal }: Cancellable,
  ): Promise<readonly Row[]> {
    return this.#patiently(signal, (client) =>
      endingOnAbort(client, signal, async () => (await client.query<Row>(text, [...values])).rows),
    )
  }

  /** Runs one statement, and again if the connection is lost: it must have the same effect twice as once. Once begun, it ends. */
  write<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    { signal }: Cancellable,
  ): Promise<readonly Row[]> {
    return this.#patiently(signal, async (client) => {
      const { rows } = await client.query<Row>(text, [...values])
      this.noteWritable()
      return rows
    })
  }

  /** Runs statements in one transaction, and all of them again if the connection is lost: see `write`. */
  transaction<Result>(work: (query: Query) => Promise<Result>, { signal }: Cancellable): Promise<Result> {
    return this.#patiently(signal, async (client) => {
      await client.query('begin isolation level read committed')
      const result = await work(async (text, values = []) => (await client.query(text, [...values])).rows)
      await client.query('commit')
      return result
    })
  }

  /** Ends all connections. May be called any number of times. */
  close(): Promise<void> {
    this.#ending ??= unlessSilent(this.#pool.end(), this.#clock)
    return this.#ending
  }

  async #patiently<Result>(
    signal: AbortSignal,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const start = this.#clock.monotonic()
    for (let pause = 50; ; pause = Math.min(2 * pause, longestPauseMs)) {
      throwIfAborted(signal)
      if (this.#ending !== undefined) throw new PipeError('conflict', `${this.shown} is closed`)
      try {
        return await this.#once(signal, work)
      } catch (error) {
        throwIfAborted(signal)
        const isOver = !this.#wasConnected || this.#clock.monotonic() - start > patienceMs
        if (!hasCode(error, 'network') || isOver) throw error
      }
      await this.#clock.sleep(pause, signal)
    }
  }

  async #once<Result>(
    signal: AbortSignal,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#connect(signal)
    let isSound = false
    try {
      const result = await work(client)
      isSound = true
      return result
    } catch (error) {
      throw this.failure(error)
    } finally {
      client.release(!isSound)
    }
  }

  #connect(signal: AbortSignal): Promise<pg.PoolClient> {
    // A signal of its own: many statements that wait for a connection would be too many listeners of one.
    const own = AbortSignal.any([signal])
    return new Promise((resolve, reject) => {
      own.addEventListener('abort', () => reject(new PipeError('aborted', 'interrupted')), { once: true })
      this.#pool.connect().then(
        (client) => {
          if (own.aborted) client.release()
          else resolve(client)
        },
        (error) => reject(this.failure(error)),
      )
    })
  }

  /** The driver reads the files of a URL, such as its certificates, whenever it makes a client. Throws `config` if it cannot. */
  #requireFiles(): void {
    try {
      this.newClient()
    } catch (error) {
      const reason = errorText(error)
      throw new PipeError('config', `cannot use the database ${this.shown}: ${reason}`)
    }
  }

  /** The driver would read the file too, but says at each command that it will not for long. */
  #withPassword(client: pg.Client): pg.Client {
    const { host, port, database = '', user = '' } = client
    const wanted = { host, port, database, user, shown: this.shown }
    const password = () => findPassword(this.#passwordFile, wanted)
    return typeof client.password === 'string' ? client : Object.assign(client, { password })
  }

  /** Two connections: with the one that holds locks, no worker has more than three. */
  #newPool(): pg.Pool {
    const config = { ...this.#config(), query_timeout: answerMs }
    const complete = (client: pg.Client) => this.#withPassword(client)
    class Client extends pg.Client {
      constructor() {
        super(config)
        complete(this)
      }
    }
    return new pg.Pool({ ...config, Client, max: 2, allowExitOnIdle: true })
  }

  #config(): pg.ClientConfig {
    return {
      connectionString: this.#address.url,
      application_name: 'pipe',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    }
  }
}

/** Ends the connection if the signal fires during the work, which fails then. */
async function endingOnAbort<Result>(
  client: pg.PoolClient,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  // The statement fails with the connection, so the end of it need not be awaited.
  const stop = () => void client.end().catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const result = await work()
    throwIfAborted(signal)
    return result
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
