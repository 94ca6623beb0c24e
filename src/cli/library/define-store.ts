import { PipeError, throwIfAborted } from '../../error.ts'
import { readSessionId, type SessionId } from '../../id.ts'
import type { Message } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { OneByOne } from '../../records/one-by-one.ts'
import type { Session, SessionLog, SessionState, SessionStore, SessionSummary } from '../../session.ts'
import { systemClock } from '../system-clock.ts'

/** A session without its messages. */
export type SessionHead = Omit<Session, 'messages'>

/** Reads and writes the sessions of a store. It gets valid ids only. */
export interface SessionRecords {
  /** Returns a saved session; `undefined` if there is none. */
  read(id: SessionId): Promise<Session | undefined>
  /** Adds a message to a session and replaces its head. The first message saves the session. */
  append(head: SessionHead, message: Message): Promise<void>
  /** Replaces the head of a saved session. */
  update(head: SessionHead): Promise<void>
  /** Lists all sessions, the one written last first. */
  list(): AsyncIterable<SessionSummary>
  /**
   * Keeps other processes from writing a session. Returns the function that ends this. Throws `conflict` with `details.pid`. Default:
   * other processes are not kept from it.
   */
  lock?(id: SessionId): Promise<() => Promise<void>>
  /** Milliseconds since 1970. Default: the machine's time. */
  now?(): number
}

/** Defines a store by its records. Checks ids and signals, allows a session one writer at a time, and keeps the order of appends. */
export function defineStore(records: SessionRecords): SessionStore {
  const locks = new Locks(records)
  const read = async (id: SessionId): Promise<Session> => {
    const session = await records.read(readSessionId(id))
    if (session === undefined) throw new PipeError('not_found', `there is no session ${id}`)
    return session
  }
  return {
    create: async (session, { signal }) => {
      const id = readSessionId(session.id)
      throwIfAborted(signal)
      return locks.hold(id, async (unlock) => {
        if ((await records.read(id)) !== undefined)
          throw new PipeError('conflict', `session ${id} already exists`)
        return new RecordLog(
          records,
          { ...session, updatedAt: session.createdAt },
          { unlock, isSaved: false },
        )
      })
    },
    open: async (id, { signal }) => {
      throwIfAborted(signal)
      return locks.hold(readSessionId(id), async (unlock) => {
        const session = await read(id)
        const { messages: _, ...head } = session
        return {
          log: new RecordLog(records, head, { unlock, isSaved: true }),
          loaded: { session, damage: [] },
        }
      })
    },
    load: async (id, { signal }) => {
      throwIfAborted(signal)
      return { session: await read(id), damage: [] }
    },
    find: async (beginning, { signal }) => {
      throwIfAborted(signal)
      const found: SessionId[] = []
      for await (const { id } of records.list()) if (id.startsWith(beginning)) found.push(id)
      return found.sort()
    },
    async *list({ signal, cwd }) {
      throwIfAborted(signal)
      for await (const summary of records.list()) if (cwd === undefined || summary.cwd === cwd) yield summary
    },
  }
}

type Unlock = () => Promise<void>

/** Gives each session one writer at a time. */
class Locks {
  readonly #records: SessionRecords
  readonly #held = new Set<SessionId>()

  constructor(records: SessionRecords) {
    this.#records = records
  }

  /** Locks a session and opens it. Unlocks it if that fails. */
  async hold<T>(id: SessionId, open: (unlock: Unlock) => Promise<T>): Promise<T> {
    if (this.#held.has(id)) {
      const details = { pid: String(process.pid) }
      throw new PipeError('conflict', `session ${id} is being written by this process`, { details })
    }
    this.#held.add(id)
    let release: Unlock | undefined
    const unlock = async () => {
      this.#held.delete(id)
      await release?.()
    }
    try {
      release = await this.#records.lock?.(id)
      return await open(unlock)
    } catch (error) {
      await unlock()
      throw error
    }
  }
}

interface Opening {
  readonly unlock: Unlock
  readonly isSaved: boolean
}

class RecordLog implements SessionLog {
  readonly unsaved = undefined
  readonly #records: SessionRecords
  readonly #unlock: Unlock
  #head: SessionHead
  #isSaved: boolean
  readonly #calls = new OneByOne()
  #closed: Promise<void> | undefined

  constructor(records: SessionRecords, head: SessionHead, { unlock, isSaved }: Opening) {
    this.#records = records
    this.#head = head
    this.#isSaved = isSaved
    this.#unlock = unlock
  }

  get id(): SessionId {
    return this.#head.id
  }

  async append(message: Message, state: SessionState = {}): Promise<void> {
    if (this.#closed !== undefined) throw new PipeError('conflict', `session ${this.id} is closed`)
    const now = this.#records.now?.() ?? systemClock.now()
    this.#head = { ...changed(this.#head, state), updatedAt: new Date(now).toISOString() }
    const head = this.#head
    this.#isSaved = true
    await this.#calls.run(() => this.#records.append(head, message))
  }

  async update(state: SessionState): Promise<void> {
    if (this.#closed !== undefined) throw new PipeError('conflict', `session ${this.id} is closed`)
    this.#head = changed(this.#head, state)
    const head = this.#head
    if (this.#isSaved) await this.#calls.run(() => this.#records.update(head))
  }

  async sync(): Promise<void> {
    await this.#calls.ended()
  }

  close(): Promise<void> {
    this.#closed ??= this.#calls.run(this.#unlock)
    return this.#closed
  }
}

/** Applies a change of state. A session that has moved belongs to its new folder. */
function changed(head: SessionHead, state: SessionState): SessionHead {
  return { ...head, ...state, ...omitUndefined({ cwd: state.movedTo }) }
}
