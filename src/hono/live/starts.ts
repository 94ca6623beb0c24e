import type { MessageId } from '../../id.ts'
import type { Watched } from '../../shared-conversation.ts'

/** Waits for the beginnings of turns. */
export class Starts {
  readonly #expected = new Map<MessageId, () => void>()

  /** Resolves once a turn has begun with this message. */
  expect(id: MessageId): Promise<void> {
    return new Promise((begun) => this.#expected.set(id, begun))
  }

  forget(id: MessageId): void {
    this.#expected.delete(id)
  }

  see(watched: Watched): void {
    if (watched.type !== 'event' || watched.event.type !== 'turn_start') return
    const { message } = watched.event
    if (message !== undefined) this.#expected.get(message.id)?.()
  }
}
