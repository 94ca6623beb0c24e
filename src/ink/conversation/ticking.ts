import type { Clock } from '../../clock.ts'
import type { Store } from '../store.ts'
import { tickUntil } from '../tick.ts'

interface TickingOptions {
  readonly store: Store
  readonly clock: Clock
  readonly fail: (error: unknown) => void
}

/** Redraws elapsed times while something works. */
export class Ticking {
  readonly #options: TickingOptions
  #over: AbortController | undefined

  constructor(options: TickingOptions) {
    this.#options = options
  }

  set(isOn: boolean): void {
    if (isOn === (this.#over !== undefined)) return
    this.#over?.abort()
    this.#over = isOn ? new AbortController() : undefined
    if (this.#over !== undefined) tickUntil(this.#over.signal, this.#options).catch(this.#options.fail)
  }
}
