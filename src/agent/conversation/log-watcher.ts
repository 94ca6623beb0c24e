import type { Watched } from '../../conversation.ts'
import type { EventLog } from './event-log.ts'

/** How far a watcher has read: through this event, and so many facts behind it. */
export interface Cursor {
  readonly number: number
  readonly facts: number
  /** Characters of all events up to there. */
  readonly characters: number
}

/** Reads the log of a conversation. */
export class LogWatcher implements AsyncIterableIterator<Watched, undefined> {
  readonly #log: EventLog
  readonly #signal: AbortSignal | undefined
  /** Found and not yet returned. */
  #found: Watched | undefined
  /** `undefined` if that is no longer known. */
  #cursor: Cursor | undefined
  #isOver = false
  readonly #wakes = new Set<() => void>()

  constructor(log: EventLog, cursor: Cursor | undefined, signal: AbortSignal | undefined) {
    this.#log = log
    this.#cursor = cursor
    this.#signal = signal
    // Takes the snapshot now, not at the first pull.
    if (cursor === undefined) this.#found = this.#read()
  }

  get cursor(): Cursor | undefined {
    return this.#cursor
  }

  async next(): Promise<IteratorResult<Watched, undefined>> {
    for (;;) {
      if (this.#isOver || this.#signal?.aborted === true) return this.#end()
      const value = this.#found ?? this.#read()
      this.#found = undefined
      if (value !== undefined) return { done: false, value }
      if (this.#log.failure !== undefined) throw this.#log.failure.error
      if (this.#log.isEnded) return this.#end()
      await this.#wait()
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isOver = true
    for (const wake of this.#wakes) wake()
    return this.#end()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #read(): Watched | undefined {
    const found = this.#log.read(this.#cursor)
    if (found === undefined) return undefined
    this.#cursor = found.cursor
    this.#log.wasRead()
    return found.watched
  }

  #end(): IteratorReturnResult<undefined> {
    this.#log.leave(this)
    return ended
  }

  async #wait(): Promise<void> {
    let wake = () => {}
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    const cancel = this.#log.once(wake)
    this.#signal?.addEventListener('abort', wake)
    this.#wakes.add(wake)
    await woken
    this.#wakes.delete(wake)
    this.#signal?.removeEventListener('abort', wake)
    cancel()
  }
}

const ended: IteratorReturnResult<undefined> = { done: true, value: undefined }
