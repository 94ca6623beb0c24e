import type { Clock } from '../clock.ts'
import { throwIfAborted } from '../error.ts'

/** Wakes one waiter. A ring while nobody waits is kept. */
export class ListenerBell {
  readonly #clock: Clock
  readonly #onClose: () => void
  #isRung = false
  #asleep: AbortController | undefined

  constructor(clock: Clock, onClose: () => void) {
    this.#clock = clock
    this.#onClose = onClose
  }

  ring(): void {
    this.#isRung = true
    this.#asleep?.abort()
  }

  /** Forgets earlier rings. */
  reset(): void {
    this.#isRung = false
  }

  /** Resolves at a ring since the last reset, or after `ms`. Throws `aborted`. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal)
    if (this.#isRung) return
    const asleep = new AbortController()
    this.#asleep = asleep
    try {
      await this.#clock.sleep(ms, AbortSignal.any([signal, asleep.signal]))
    } catch (error) {
      throwIfAborted(signal)
      if (!asleep.signal.aborted) throw error
    }
  }

  close(): void {
    this.#onClose()
  }
}
