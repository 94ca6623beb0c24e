import { strict as assert } from 'node:assert'
import type { Conversation, Position, Snapshot, Watched } from '../conversation.ts'
import type { InteractionId } from '../id.ts'

/** Watches a conversation for one case. */
export class ConversationReader {
  /** All that was read behind the first snapshot. */
  readonly read: Watched[] = []
  readonly #watching: AsyncIterator<Watched, undefined>
  readonly #stop: AbortController
  #first: Snapshot | undefined
  #position: Position

  private constructor(conversation: Conversation, after?: Position) {
    this.#stop = new AbortController()
    this.#watching = conversation.watch({ after, signal: this.#stop.signal })
    this.#position = after ?? ''
  }

  /** Begins with a snapshot, or after a position. */
  static async open(conversation: Conversation, after?: Position): Promise<ConversationReader> {
    const reader = new ConversationReader(conversation, after)
    if (after !== undefined) return reader
    const first = await reader.#next()
    assert.equal(first?.type, 'snapshot')
    reader.#first = first.snapshot
    return reader
  }

  /** The snapshot that the watching began with. */
  get first(): Snapshot {
    assert.ok(this.#first)
    return this.#first
  }

  /** The types of all that was read, those of events in place of `event`. */
  get types(): readonly string[] {
    return this.read.map(typeOf)
  }

  /** Reads up to the next of this type, and returns it. Fails if the watching ends before. */
  async until(type: string): Promise<Watched> {
    for (;;) {
      const watched = await this.#next()
      assert.ok(watched, `the watching ended before ${type}, after ${this.types.join(', ')}`)
      this.read.push(watched)
      if (typeOf(watched) === type) return watched
    }
  }

  /** Waits for a question, and returns its id. */
  async question(): Promise<InteractionId> {
    const watched = await this.until('interaction_requested')
    assert.ok(watched.type === 'event' && watched.event.type === 'interaction_requested')
    return watched.event.interaction.id
  }

  /** Reads to the end of the watching. */
  async rest(): Promise<void> {
    for (let watched = await this.#next(); watched; watched = await this.#next()) this.read.push(watched)
  }

  close(): void {
    this.#stop.abort()
  }

  async #next(): Promise<Watched | undefined> {
    const { value } = await this.#watching.next()
    // The settings of a snapshot may follow it as a fact of their own, at its position.
    if (value?.type === 'settings' && value.position === this.#position) return this.#next()
    if (value !== undefined) this.#position = value.position
    return value
  }
}

function typeOf(watched: Watched): string {
  return watched.type === 'event' ? watched.event.type : watched.type
}
