import type { Clock } from '../../clock.ts'

/** How long a server that has said why it stopped may be silent before the reply is taken for complete. */
const graceMs = 2_000

/** Ends an exchange whose server has said its last word but neither says so nor closes the connection. */
export class Grace {
  /** Fires when the given signal does, and when the grace is over. */
  readonly signal: AbortSignal
  readonly #clock: Clock
  readonly #exchange = new AbortController()
  #stop: (() => void) | undefined

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock
    this.signal = AbortSignal.any([signal, this.#exchange.signal])
  }

  get isOver(): boolean {
    return this.#exchange.signal.aborted
  }

  /** Nothing but the end is waited for from now on. */
  begin(): void {
    this.stop()
    this.#stop = this.#clock.after(graceMs, () => this.#exchange.abort())
  }

  /** Something came, or nothing is waited for any more. */
  stop(): void {
    this.#stop?.()
  }
}
