import type { Clock } from '../../clock.ts'
import type { Connection } from '../connection.ts'

/** A list as a server gave it. */
export interface LoadedList<T> {
  readonly value: T
  /** Time in ms for which it counts as true. Absent: until the server says that it has changed. */
  readonly ttlMs: number | undefined
}

/** When a list was asked for, and how long it counts as true. */
interface Asked {
  readonly connection: Connection
  until: number
}

/** A list of a server, asked for at its first use, and anew at the next use after its time has passed or it has changed. */
export class HeldList<T> {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #load: (connection: Connection) => Promise<LoadedList<T>>
  #asked: Asked | undefined
  #list: Promise<T> | undefined
  #known: T | undefined

  constructor(clock: Pick<Clock, 'monotonic'>, load: (connection: Connection) => Promise<LoadedList<T>>) {
    this.#clock = clock
    this.#load = load
  }

  /** The list as it was last; `undefined` before its first use. */
  get known(): T | undefined {
    return this.#known
  }

  /** Whether it was asked for over this connection, and the server has not said since that it changed. */
  isOf(connection: Connection | undefined): boolean {
    return this.#asked !== undefined && this.#asked.connection === connection
  }

  /** Returns the list. Throws what keeps it from being loaded. */
  read(connection: Connection): Promise<T> {
    const { connection: before, until } = this.#asked ?? {}
    if (this.#list !== undefined && before === connection && this.#clock.monotonic() < (until ?? 0))
      return this.#list
    const asked = { connection, until: Number.POSITIVE_INFINITY }
    this.#asked = asked
    this.#list = this.#take(asked)
    return this.#list
  }

  /** Puts another value in the place of the list, for the same time. */
  replace(value: T): void {
    this.#known = value
    if (this.#list !== undefined) this.#list = Promise.resolve(value)
  }

  /** Has it asked for anew at the next use. */
  forget(): void {
    this.#asked = undefined
    this.#list = undefined
  }

  async #take(asked: Asked): Promise<T> {
    try {
      const { value, ttlMs = Number.POSITIVE_INFINITY } = await this.#load(asked.connection)
      this.#known = value
      asked.until = this.#clock.monotonic() + ttlMs
      return value
    } catch (error) {
      if (this.#asked === asked) this.forget()
      throw error
    }
  }
}
