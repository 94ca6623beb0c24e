import { PipeError } from '../../error.ts'
import type { MessageId, SessionId } from '../../id.ts'
import type { MessageQueueStore, WaitingMessage } from '../../message-queue.ts'
import { Bell } from './bell.ts'

/** Messages that may wait for one session. */
const mostWaiting = 100

export interface WaitingOptions {
  readonly sessionId: SessionId
  readonly store: Pick<MessageQueueStore, 'write'>
  /** Those that an earlier run of the server has left. */
  readonly left: readonly WaitingMessage[]
}

/** The messages that wait for a session, in order. Each is on disk before it counts, so that a crash loses none. */
export class WaitingMessages {
  /** Rings after each change. */
  readonly changes = new Bell()
  readonly #options: WaitingOptions
  #waiting: readonly WaitingMessage[]
  /** Settles once the last change is on disk; never rejects. */
  #saved: Promise<unknown> = Promise.resolve()

  constructor(options: WaitingOptions) {
    this.#options = options
    this.#waiting = options.left
  }

  get all(): readonly WaitingMessage[] {
    return this.#waiting
  }

  find(id: MessageId): WaitingMessage | undefined {
    return this.#waiting.find(({ message }) => message.id === id)
  }

  /** Adds a message, on disk when it resolves. Throws `overloaded` for too many, and the store's errors: it is not added then. */
  async add(entry: WaitingMessage): Promise<void> {
    if (this.#waiting.length >= mostWaiting)
      throw new PipeError('overloaded', `${mostWaiting} messages wait for this session already`)
    this.#change([...this.#waiting, entry])
    try {
      await this.#save()
    } catch (error) {
      // The file holds what it held before.
      this.#change(this.#waiting.filter((other) => other !== entry))
      throw error
    }
  }

  /** Removes a message that was delivered or taken back, on disk when it resolves. Does nothing if it does not wait. */
  async remove(id: MessageId): Promise<void> {
    const others = this.#waiting.filter(({ message }) => message.id !== id)
    if (others.length === this.#waiting.length) return
    this.#change(others)
    await this.#save()
  }

  /** Waits until all changes are on disk. */
  async settle(): Promise<void> {
    await this.#saved
  }

  #change(waiting: readonly WaitingMessage[]): void {
    this.#waiting = waiting
    this.changes.ring()
  }

  /** Writes what waits when its turn comes: changes that were made meanwhile are in it. */
  #save(): Promise<void> {
    const { store, sessionId } = this.#options
    const saved = this.#saved.then(() => store.write(sessionId, this.#waiting))
    this.#saved = Promise.allSettled([saved])
    return saved
  }
}
