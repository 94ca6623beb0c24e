import { PipeError } from '../../error.ts'
import type { MessageQueueStore, WaitingMessage } from '../../history/message-queue.ts'
import type { MessageId, SessionId } from '../../id.ts'

/** Messages that may wait for one session. */
const mostWaiting = 100

export interface WaitingOptions {
  /** Keeps what waits, also for the next run. Default: it is kept in memory. */
  readonly kept?: KeptQueue | undefined
  /** Called after each change. */
  readonly changed: () => void
}

/** The store of the messages that wait for a session. */
export interface KeptQueue {
  readonly sessionId: SessionId
  readonly store: Pick<MessageQueueStore, 'write'>
  /** Those that an earlier run has left. */
  readonly left: readonly WaitingMessage[]
}

/** A message that waits no more, but that the session may not have on disk. */
interface HeldMessage {
  readonly entry: WaitingMessage
  /** The session has it, at least in memory. */
  readonly isDelivered: boolean
}

/**
 * The messages that wait for a session, in order. Each is on disk before it counts, and until the session has it on disk, so that neither
 * a crash nor a full disk loses one.
 */
export class WaitingMessages {
  readonly #options: WaitingOptions
  #held: readonly HeldMessage[] = []
  #waiting: readonly WaitingMessage[]
  /** Settles once the last change is on disk; never rejects. */
  #saved: Promise<unknown> = Promise.resolve()

  constructor(options: WaitingOptions) {
    this.#options = options
    this.#waiting = options.kept?.left ?? []
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
      throw new PipeError('overloaded', `${mostWaiting} messages are already waiting for this session`)
    this.#change([...this.#waiting, entry])
    try {
      await this.#save()
    } catch (error) {
      // The file holds what it held before.
      this.#change(this.#waiting.filter((other) => other !== entry))
      throw error
    }
  }

  /** Keeps a message that begins a turn, without listing it. On disk when it resolves. Throws the store's errors: it is not kept then. */
  async hold(entry: WaitingMessage): Promise<void> {
    const held = { entry, isDelivered: false }
    this.#held = [...this.#held, held]
    try {
      await this.#save()
    } catch (error) {
      this.#held = this.#held.filter((other) => other !== held)
      throw error
    }
  }

  /** Forgets a message that was held and whose turn did not begin. On disk when it resolves. */
  async drop(id: MessageId): Promise<void> {
    this.#held = this.#held.filter(({ entry }) => entry.message.id !== id)
    await this.#save()
  }

  /** Lists a message no more that the session has, and holds it until `release`. */
  deliver(id: MessageId): void {
    const entry = this.find(id)
    if (entry !== undefined) this.#change(this.#waiting.filter((other) => other !== entry))
    const others = this.#held.filter((held) => held.entry.message.id !== id)
    const delivered = entry ?? this.#held.find((held) => held.entry.message.id === id)?.entry
    if (delivered !== undefined) this.#held = [...others, { entry: delivered, isDelivered: true }]
  }

  /** Forgets the messages that were delivered, because the session has them on disk. */
  release(): void {
    const kept = this.#held.filter(({ isDelivered }) => !isDelivered)
    if (kept.length === this.#held.length) return
    this.#held = kept
    // If the file keeps them, the next run sees that the session has them.
    this.#save().catch(() => undefined)
  }

  /** Removes a message that was taken back, on disk when it resolves. Does nothing if it does not wait. */
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
    this.#options.changed()
  }

  /** Writes what waits when its turn comes: changes that were made meanwhile are in it. */
  #save(): Promise<void> {
    const { kept } = this.#options
    if (kept === undefined) return Promise.resolve()
    const { store, sessionId } = kept
    const saved = this.#saved.then(() =>
      store.write(sessionId, [...this.#held.map(({ entry }) => entry), ...this.#waiting]),
    )
    this.#saved = Promise.allSettled([saved])
    return saved
  }
}
