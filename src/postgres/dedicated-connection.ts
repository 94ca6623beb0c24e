import type { Clock } from '../clock.ts'
import { hasCode, PipeError, throwIfAborted } from '../error.ts'
import type { Database } from './database.ts'
import { DedicatedClient, type Pooling, sharedError } from './dedicated-client.ts'
import { ListenerBell } from './listener-bell.ts'

/** A lock that lasts until it is released, or until its connection ends. */
export interface HeldLock {
  /** Fires once the connection has ended, or does not answer. */
  readonly lost: AbortSignal
  /** May be called any number of times. */
  release(): Promise<void>
}

/**
 * The one connection that holds locks and listens. It is opened when it is needed, never shared through a pool, and not replaced under a
 * lock: whoever holds one learns that it is lost.
 */
export class DedicatedConnection {
  readonly #database: Database
  readonly #clock: Clock
  readonly #bells = new Set<ListenerBell>()
  #client: Promise<DedicatedClient> | undefined
  /** The same before it is connected. */
  #newest: DedicatedClient | undefined
  /** Whether a pooler was seen to lend a connection of locks to others. */
  #isShared = false
  #isClosed = false

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /** Takes a lock; `undefined` if it is held, by this process too. Throws `network`, `config`, `aborted`. */
  async lock(name: string, signal: AbortSignal): Promise<HeldLock | undefined> {
    for (let isRetry = false; ; isRetry = true) {
      throwIfAborted(signal)
      if (this.#isShared) throw sharedError(this.#database.shown)
      const client = await this.#open()
      if (client.pooling === 'shared') throw sharedError(this.#database.shown)
      try {
        return await this.#lock(client, name, signal)
      } catch (error) {
        // An idle connection may have ended without a sign.
        if (isRetry || !hasCode(error, 'network')) throw error
      }
    }
  }

  /** Opens the connection unless it is open, so that bells ring. Throws `network`, `config`. */
  async listen(): Promise<void> {
    await this.#open()
  }

  /** Adds a bell that rings when any process has appended events, and when the connection ends. Without one it rings by its time. */
  bell(): ListenerBell {
    const bell = new ListenerBell(this.#clock, () => void this.#bells.delete(bell))
    this.#bells.add(bell)
    return bell
  }

  /** Tells what a pooler does with the connection. Throws `network`, `config`. */
  async pooling(): Promise<Pooling> {
    return (await this.#open()).pooling
  }

  /** Ends the connection and with it all locks. May be called any number of times. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#ring()
    await this.#newest?.end()
  }

  async #lock(client: DedicatedClient, name: string, signal: AbortSignal): Promise<HeldLock | undefined> {
    const key = `pipe ${name}`
    if (!(await client.lock(key))) return undefined
    let released: Promise<void> | undefined
    const release = () => {
      released ??= client.unlock(key)
      return released
    }
    if (signal.aborted) await release()
    throwIfAborted(signal)
    return { lost: client.lost, release }
  }

  async #open(): Promise<DedicatedClient> {
    if (this.#isClosed) throw new PipeError('conflict', `${this.#database.shown} is closed`)
    this.#client ??= this.#connect()
    const client = this.#client
    try {
      return await client
    } catch (error) {
      if (this.#client === client) this.#client = undefined
      throw error
    }
  }

  async #connect(): Promise<DedicatedClient> {
    const client = new DedicatedClient(this.#database, this.#clock, {
      onNotice: () => this.#ring(),
      onEnd: () => {
        if (this.#newest === client) this.#client = undefined
        if (client.pooling === 'shared') this.#isShared = true
        this.#ring()
      },
    })
    this.#newest = client
    await client.connect()
    return client
  }

  #ring(): void {
    for (const bell of this.#bells) bell.ring()
  }
}
