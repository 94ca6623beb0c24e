import type { Clock } from '../../clock.ts'

/** Silence in ms after the stop reason until the reply counts as complete. */
const graceMs = 2_000

/** Ends an exchange if its server has finished the reply but does not close the connection. */
export class Grace {
  /** Aborts with the given signal, or when the grace period is over. */
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

  /** Starts the grace period: only the end is still to come. */
  begin(): void {
    this.stop()
    this.#stop = this.#clock.after(graceMs, () => this.#exchange.abort())
  }

  /** Stops the grace period: data came, or the exchange is over. */
  stop(): void {
    this.#stop?.()
  }
}
