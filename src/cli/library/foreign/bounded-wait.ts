import type { Clock } from '../../../clock.ts'
import { PipeError } from '../../../error.ts'

const stopMs = 5_000

/** Gives a foreign part 5 s to stop once its signal fires. */
export class BoundedWait {
  readonly #signal: AbortSignal
  readonly #clock: Clock
  readonly #part: string
  #cancel: (() => void) | undefined
  readonly #waits = new Set<(error: PipeError) => void>()
  #isOver = false

  /** `part` names the part in the error. */
  constructor(signal: AbortSignal, clock: Clock, part: string) {
    this.#signal = signal
    this.#clock = clock
    this.#part = part
    if (signal.aborted) this.start()
    else signal.addEventListener('abort', this.start)
  }

  /** Waits for work of the part. Throws `aborted` when the time is up, and from then on at once. */
  wait<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const over = () => this.#waits.delete(reject)
      this.#waits.add(reject)
      work.then(resolve, reject).then(over, over)
      if (this.#isOver) reject(this.#error())
    })
  }

  /** Starts the time without the signal. */
  readonly start = (): void => {
    this.#cancel ??= this.#clock.after(stopMs, () => {
      this.#isOver = true
      for (const giveUp of this.#waits) giveUp(this.#error())
    })
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.start)
    this.#cancel?.()
  }

  #error(): PipeError {
    return new PipeError('aborted', `${this.#part} did not stop within ${stopMs / 1_000} s`)
  }
}
