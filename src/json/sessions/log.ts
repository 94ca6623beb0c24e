import type { Clock } from '../../clock.ts'
import { hasCode, isDiskFull, PipeError } from '../../error.ts'
import type { Lock } from '../../files/lock/lock.ts'
import type { SessionId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import type { Message } from '../../message.ts'
import { OneByOne } from '../../records/one-by-one.ts'
import type { SessionLog, SessionState } from '../../session.ts'
import { encodeMessage } from '../../wire/message-json.ts'
import { encodeState } from '../documents/encode-document.ts'
import type { Begin } from './begin.ts'
import { detachBlobs } from './blobs.ts'
import { closing } from './layout.ts'
import { type WritePosition, type WrittenEntry, writeEntry } from './write-position.ts'

export interface LogParts {
  readonly id: SessionId
  readonly blobs: string
  readonly lock: Lock
  readonly clock: Clock
  readonly begin: Begin
  /** Nothing is in the file yet. */
  readonly isNew: boolean
  readonly state: SessionState
  /** Absent in a new session. */
  readonly updatedAt?: string
  /** Unknown fields after the messages. */
  readonly extras: JsonObject
}

/** A message waiting to be written, and the state to save with it. */
interface Waiting {
  readonly message: Message
  readonly state: SessionState
}

/**
 * Writes one session file. Queues messages in memory, in order, while the disk is full. Calls take effect in the order they
 * were made, awaited or not.
 */
export class FileLog implements SessionLog {
  readonly id: SessionId
  readonly #parts: LogParts
  readonly #waiting: Waiting[] = []
  #unsaved: PipeError | undefined
  #state: SessionState
  #updatedAt: string | undefined
  #position: WritePosition | undefined
  #unsynced = false
  readonly #calls = new OneByOne()
  #closed: Promise<void> | undefined

  constructor(parts: LogParts) {
    this.id = parts.id
    this.#parts = parts
    this.#state = parts.state
    this.#updatedAt = parts.updatedAt
  }

  get unsaved(): PipeError | undefined {
    return this.#unsaved
  }

  async append(message: Message, state: SessionState = {}): Promise<void> {
    if (this.#closed !== undefined) throw new PipeError('conflict', `session ${this.id} is closed`)
    await this.#calls.run(() => this.#append({ message, state: { ...this.#state, ...state } }))
  }

  async update(state: SessionState): Promise<void> {
    if (this.#closed !== undefined) throw new PipeError('conflict', `session ${this.id} is closed`)
    await this.#calls.run(() => this.#update({ ...this.#state, ...state }))
  }

  requireHeld(): void {
    try {
      this.#parts.lock.requireHeld()
    } catch (error) {
      if (!hasCode(error, 'conflict')) throw error
      throw new PipeError(
        'conflict',
        `session ${this.id} can no longer be written: ${error.message}; continue in a copy with --fork ${this.id}`,
        { cause: error, details: error.details },
      )
    }
  }

  sync(): Promise<void> {
    return this.#calls.run(() => this.#sync())
  }

  close(): Promise<void> {
    this.#closed ??= this.#calls.run(() => this.#release())
    return this.#closed
  }

  async #append(next: Waiting): Promise<void> {
    this.#waiting.push(next)
    try {
      await this.#writeWaiting()
    } catch (error) {
      // The caller gets the error and stops, so this message is dropped.
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      throw error
    }
    this.#state = next.state
  }

  async #update(state: SessionState): Promise<void> {
    const last = this.#waiting.pop()
    if (last !== undefined) this.#waiting.push({ ...last, state })
    else if (this.#position !== undefined || !this.#parts.isNew) await this.#writeEntry({}, state)
    this.#state = state
  }

  /** Writes the queued messages while there is space. Throws any other write error. */
  async #writeWaiting(): Promise<void> {
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        await this.#write(next)
        this.#waiting.shift()
      }
      this.#unsaved = undefined
    } catch (error) {
      if (!isDiskFull(error)) throw error
      this.#unsaved = error
    }
  }

  async #write({ message, state }: Waiting): Promise<void> {
    const encoded = await detachBlobs(encodeMessage(message), async (bytes) => {
      this.requireHeld()
      const { writeBlob } = await import('./blob-files.ts')
      return writeBlob(bytes, this.#parts.blobs)
    })
    await this.#writeEntry({ message: JSON.stringify(encoded) }, state)
  }

  async #writeEntry(message: Pick<WrittenEntry, 'message'>, state: SessionState): Promise<void> {
    const { begin, clock, extras } = this.#parts
    this.requireHeld()
    const isUpdate = message.message === undefined
    const updated_at = (isUpdate && this.#updatedAt) || new Date(clock.now()).toISOString()
    const entry = { ...message, closing: closing({ ...extras, updated_at, ...encodeState(state) }) }
    this.#position = this.#position === undefined ? await begin(entry) : writeEntry(this.#position, entry)
    this.#updatedAt = updated_at
    this.#unsynced = true
  }

  async #sync(): Promise<void> {
    if (this.#waiting.length > 0) await this.#writeWaiting()
    if (!this.#unsynced) return
    await this.#position?.file.sync()
    this.#unsynced = false
  }

  async #release(): Promise<void> {
    try {
      await this.#sync()
      this.#requireSaved()
    } finally {
      try {
        this.#position?.file.close()
      } finally {
        this.#parts.lock.release()
      }
    }
  }

  #requireSaved(): void {
    const lost = this.#waiting.length
    if (this.#unsaved === undefined || lost === 0) return
    const { message, details } = this.#unsaved
    const words = lost === 1 ? 'the last message' : `the last ${lost} messages`
    throw new PipeError('storage', `${words} of session ${this.id} could not be saved: ${message}`, {
      details,
    })
  }
}
