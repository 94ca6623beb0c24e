import type { SessionId } from '../../id.ts'
import { WatchBell } from './watch-bell.ts'

/** Tells lists which sessions have changed. A list that is slow gets each changed session once. */
export class RowChanges {
  readonly #bell = new WatchBell()
  readonly #listeners = new Set<Set<SessionId>>()

  mark(id: SessionId): void {
    for (const changed of this.#listeners) changed.add(id)
    this.#bell.ring()
  }

  /** Yields the sessions that have changed, from now on until the signal fires. */
  async *follow(signal: AbortSignal): AsyncGenerator<SessionId, undefined, undefined> {
    const changed = new Set<SessionId>()
    this.#listeners.add(changed)
    try {
      while (!signal.aborted) {
        const [id] = changed
        if (id === undefined) await this.#bell.next(signal)
        else {
          changed.delete(id)
          yield id
        }
      }
      return undefined
    } finally {
      this.#listeners.delete(changed)
    }
  }
}
