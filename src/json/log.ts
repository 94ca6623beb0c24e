import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import type { Lock } from '../files/lock.ts'
import type { SessionId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import type { Message } from '../message.ts'
import type { SessionLog, SessionState } from '../session.ts'
import type { Begin } from './begin.ts'
import { detachBlobs } from './blobs.ts'
import { encodeMessage, encodeState } from './encode.ts'
import { closing } from './layout.ts'
import { type Place, writeEntry } from './place.ts'

export interface LogParts {
  readonly id: SessionId
  readonly blobs: string
  readonly lock: Lock
  readonly clock: Clock
  readonly begin: Begin
  readonly state: SessionState
  /** Fields after the messages that this program does not know. */
  readonly extras: JsonObject
  /** For a person. */
  readonly warnings: readonly string[]
}

/** The writer of one session file. Calls take effect in the order they were made, awaited or not. */
export class FileLog implements SessionLog {
  readonly id: SessionId
  readonly warnings: readonly string[]
  readonly #parts: LogParts
  #state: SessionState
  #place: Place | undefined
  #unsynced = false
  #last: Promise<void> = Promise.resolve()
  #closed: Promise<void> | undefined

  constructor(parts: LogParts) {
    this.id = parts.id
    this.warnings = parts.warnings
    this.#parts = parts
    this.#state = parts.state
  }

  async append(message: Message, state: SessionState = {}): Promise<void> {
    if (this.#closed !== undefined) throw new PipeError('conflict', `session ${this.id} is closed`)
    await this.#inOrder(() => this.#append(message, { ...this.#state, ...state }))
  }

  sync(): Promise<void> {
    return this.#inOrder(() => this.#sync())
  }

  close(): Promise<void> {
    this.#closed ??= this.#inOrder(() => this.#release())
    return this.#closed
  }

  /** A failure is told to who made the call, not to the next one. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    const run = this.#last.then(work)
    this.#last = run.catch(() => undefined)
    return run
  }

  async #append(message: Message, state: SessionState): Promise<void> {
    const { begin, blobs, clock, extras } = this.#parts
    const updated_at = new Date(clock.now()).toISOString()
    const entry = {
      message: JSON.stringify(await detachBlobs(encodeMessage(message), blobs)),
      closing: closing({ ...extras, updated_at, ...encodeState(state) }),
    }
    this.#place = this.#place === undefined ? await begin(entry) : writeEntry(this.#place, entry)
    this.#state = state
    this.#unsynced = true
  }

  async #sync(): Promise<void> {
    if (!this.#unsynced) return
    await this.#place?.file.sync()
    this.#unsynced = false
  }

  async #release(): Promise<void> {
    try {
      await this.#sync()
    } finally {
      try {
        this.#place?.file.close()
      } finally {
        this.#parts.lock.release()
      }
    }
  }
}
