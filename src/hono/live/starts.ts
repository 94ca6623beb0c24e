import { PipeError } from '../../error.ts'
import type { MessageId } from '../../id.ts'
import type { Watched } from '../../shared-conversation.ts'

interface Start {
  readonly saved: () => void
  readonly failed: (error: PipeError) => void
}

/** Waits for the first messages of turns to be saved. */
export class Starts {
  readonly #expected = new Map<MessageId, Start>()
  /** Its turn has begun; the next event tells whether the disk is full. */
  #begun: Start | undefined

  /** Resolves once a turn has begun with this message, and it is on disk. Throws `storage` if the disk is full. */
  expect(id: MessageId): Promise<void> {
    return new Promise((saved, failed) => this.#expected.set(id, { saved, failed }))
  }

  forget(id: MessageId): void {
    this.#expected.delete(id)
  }

  see(watched: Watched): void {
    if (watched.type !== 'event') return
    const { event } = watched
    const begun = this.#begun
    this.#begun = undefined
    if (event.type === 'unsaved') begun?.failed(new PipeError('storage', event.reason))
    else begun?.saved()
    if (event.type === 'turn_start' && event.message !== undefined)
      this.#begun = this.#expected.get(event.message.id)
  }
}
