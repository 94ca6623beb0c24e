import type { AgentEvent } from '../event.ts'

/** Measures how long the models of a turn took to reply, with the waits between tries. */
export class ReplyTime {
  /** Milliseconds of a monotonic clock. */
  readonly #monotonic: () => number
  #totalMs = 0
  /** When the round began whose reply is not there. */
  #since: number | undefined

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  see(event: AgentEvent): void {
    if (event.type === 'round_start') this.#since = this.#monotonic()
    else if (event.type === 'round_end' || (event.type === 'message' && event.message.type === 'assistant'))
      this.#endRound()
  }

  /** Returns the milliseconds of the turn, and begins the next one. */
  take(): number {
    this.#endRound()
    const ms = Math.round(this.#totalMs)
    this.#totalMs = 0
    return ms
  }

  #endRound(): void {
    if (this.#since !== undefined) this.#totalMs += this.#monotonic() - this.#since
    this.#since = undefined
  }
}
