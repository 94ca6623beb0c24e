import type { FollowedSnapshot, QueuedMessage, SaidAs } from '../../followed-conversation.ts'
import type { MessageId } from '../../id.ts'
import { printable } from '../../terminal/printable.ts'
import { asPasted } from '../prompt/prompt.ts'
import type { Queued } from '../state.ts'

/** A message on its way to the server, and whether a turn ran when it was sent. */
interface Sent {
  readonly queued: Queued
  readonly isForLater: boolean
  /** The server has begun a turn with it, which is not heard of yet. */
  readonly isTaken?: true
}

/** The messages that wait: at the server, or on their way to it. */
export class FollowedQueue {
  #atServer: readonly Queued[] = []
  readonly #onTheirWay = new Map<MessageId, Sent>()
  /** Those that were sent from here and may still wait. */
  readonly #own = new Set<MessageId>()

  /** Those that wait for a turn that runs. */
  get waiting(): readonly Queued[] {
    const known = new Set(this.#atServer.map(({ id }) => id))
    const sent = [...this.#onTheirWay.values()].filter(
      ({ isForLater, queued }) => isForLater && !known.has(queued.id),
    )
    return [...this.#atServer, ...sent.map(({ queued }) => queued)]
  }

  /** Those of them that were sent from here. */
  get own(): readonly Queued[] {
    return this.waiting.filter(({ id }) => this.#own.has(id))
  }

  /** Whether a message is about to begin a turn. */
  get isBeginning(): boolean {
    return [...this.#onTheirWay.values()].some(({ isForLater }) => !isForLater)
  }

  send(queued: Queued, isForLater: boolean): void {
    this.#onTheirWay.set(queued.id, { queued, isForLater })
    this.#own.add(queued.id)
  }

  /** Takes the server's answer. A message that begins a turn is on its way until its turn is heard of. */
  answered(id: MessageId, as: SaidAs): void {
    const sent = this.#onTheirWay.get(id)
    if (sent === undefined) return
    if (as === 'started') {
      this.#onTheirWay.set(id, { ...sent, isTaken: true })
      return
    }
    this.#onTheirWay.delete(id)
    if (!this.#atServer.some((one) => one.id === id)) this.#atServer = [...this.#atServer, sent.queued]
  }

  /** Forgets a message that the conversation has, or that never gets there. */
  remove(id: MessageId): void {
    this.#onTheirWay.delete(id)
    this.#own.delete(id)
    this.#atServer = this.#atServer.filter((one) => one.id !== id)
  }

  /** Takes all that waits at the server. */
  replace(queue: readonly QueuedMessage[]): void {
    this.#atServer = queue.map(({ id, text, kind: sentAs }) => {
      const kind = sentAs === 'steer' ? 'next' : 'after'
      const known = this.#atServer.find((one) => one.id === id) ?? this.#onTheirWay.get(id)?.queued
      this.#onTheirWay.delete(id)
      return { ...(known ?? { id, text: printable(text), written: asPasted(text) }), kind }
    })
  }

  /** Takes the whole conversation, which has what was on its way before. */
  catchUp({ queue, messages }: FollowedSnapshot): void {
    this.replace(queue)
    const known = new Set(messages.map(({ id }) => id))
    for (const [id, { isTaken }] of this.#onTheirWay) {
      if (isTaken === true || known.has(id)) this.#onTheirWay.delete(id)
    }
  }
}
