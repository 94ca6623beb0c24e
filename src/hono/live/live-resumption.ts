import type { Watched } from '../../conversation.ts'
import { WatchBell } from './watch-bell.ts'

/** The beginning of an opened conversation, in which it asks again what an earlier run has left open. */
export class Resumption {
  readonly #bell = new WatchBell()
  /** Questions that are still to be asked again. */
  #left: number

  constructor(left: number) {
    this.#left = left
  }

  see(watched: Watched): void {
    if (watched.type === 'ended') this.end()
    if (this.#left === 0 || watched.type !== 'event') return
    const { type } = watched.event
    if (type === 'interaction_requested') this.#left--
    // The model is asked, so that all calls of before are over.
    else if (type === 'round_start' || type === 'turn_end') this.#left = 0
    else return
    this.#bell.ring()
  }

  end(): void {
    this.#left = 0
    this.#bell.ring()
  }

  /** Waits until this holds, or nothing is left to be asked. */
  async until(holds: () => boolean): Promise<void> {
    const never = new AbortController().signal
    while (this.#left > 0 && !holds()) await this.#bell.next(never)
  }
}
