import type { Clock } from '../clock.ts'

/** Aborts its signal after a time without news, unless that time is held. */
export class IdleLimit {
  readonly #clock: Pick<Clock, 'after'>
  readonly #ms: number
  readonly #isHeld: () => boolean
  readonly #stop = new AbortController()
  #cancel: () => void = () => undefined

  constructor(clock: Pick<Clock, 'after'>, ms: number, isHeld: () => boolean = () => false) {
    this.#clock = clock
    this.#ms = ms
    this.#isHeld = isHeld
    this.restart()
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Begins the time anew. */
  restart(): void {
    this.#cancel()
    this.#cancel = this.#clock.after(this.#ms, () => (this.#isHeld() ? this.restart() : this.#stop.abort()))
  }

  release(): void {
    this.#cancel()
  }
}
