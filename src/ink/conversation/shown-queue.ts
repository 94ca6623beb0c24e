import type { QueuedMessage, SentAs, Snapshot } from '../../conversation.ts'
import type { MessageId } from '../../id.ts'
import { printable } from '../../terminal/printable.ts'
import { asPasted } from '../prompt/prompt.ts'
import type { Queued } from '../state.ts'

/** A message on its way to the conversation, and whether a turn ran when it was sent. */
interface Sent {
  readonly queued: Queued
  readonly isForLater: boolean
  /** A turn has begun with it, which is not heard of yet. */
  readonly isTaken?: true
}

/** The messages that wait: in the conversation, or on their way to it. */
export class ShownQueue {
  #waiting: readonly Queued[] = []
  readonly #onTheirWay = new Map<MessageId, Sent>()
  /** Those that were sent from here and may still wait. */
  readonly #own = new Set<MessageId>()

  /** Those that wait for a turn that runs. */
  get waiting(): readonly Queued[] {
    const known = new Set(this.#waiting.map(({ id }) => id))
    const sent = [...this.#onTheirWay.values()].filter(
      ({ isForLater, queued }) => isForLater && !known.has(queued.id),
    )
    return [...this.#waiting, ...sent.map(({ queued }) => queued)]
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

  /** Takes the conversation's answer. A message that begins a turn is on its way until its turn is heard of. */
  answered(id: MessageId, as: SentAs): void {
    const sent = this.#onTheirWay.get(id)
    if (sent === undefined) return
    if (as === 'started') {
      this.#onTheirWay.set(id, { ...sent, isTaken: true })
      return
    }
    this.#onTheirWay.delete(id)
    if (!this.#waiting.some((one) => one.id === id)) this.#waiting = [...this.#waiting, sent.queued]
  }

  /** Forgets a message that the conversation has, or that never gets there. */
  remove(id: MessageId): void {
    this.#onTheirWay.delete(id)
    this.#own.delete(id)
    this.#waiting = this.#waiting.filter((one) => one.id !== id)
  }

  /** Takes all that waits in the conversation. */
  replace(queue: readonly QueuedMessage[]): void {
    this.#waiting = queue.map(({ id, text, kind: sentAs }) => {
      const kind = sentAs === 'steer' ? 'next' : 'after'
      const known = this.#waiting.find((one) => one.id === id) ?? this.#onTheirWay.get(id)?.queued
      this.#onTheirWay.delete(id)
      return { ...(known ?? { id, text: printable(text), written: asPasted(text) }), kind }
    })
  }

  /** Takes the whole conversation, which has what was on its way before. */
  catchUp({ queue, messages }: Snapshot): void {
    this.replace(queue)
    const known = new Set(messages.map(({ id }) => id))
    for (const [id, { isTaken }] of this.#onTheirWay) {
      if (isTaken === true || known.has(id)) this.#onTheirWay.delete(id)
    }
  }
}
