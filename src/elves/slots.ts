import { PipeError, throwIfAborted } from '../error.ts'

interface Place {
  /** Slots it needs. */
  readonly wanted: number
  readonly admit: () => void
}

/** Admits a number of elves at once, in the order they come; or one that must be alone. */
export class Slots {
  readonly #most: number
  #taken = 0
  #queue: readonly Place[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Waits for a slot, or with `alone` for all of them. Returns a function that frees it, once. Throws `aborted`. */
  take({ alone, signal }: { readonly alone: boolean; readonly signal: AbortSignal }): Promise<() => void> {
    const wanted = this.#wanted(alone)
    return new Promise((resolve, reject) => {
      throwIfAborted(signal)
      const leave = () => {
        this.#queue = this.#queue.filter((one) => one !== place)
        reject(new PipeError('aborted', 'interrupted', { cause: signal.reason }))
        this.#admit()
      }
      const place: Place = {
        wanted,
        admit: () => {
          signal.removeEventListener('abort', leave)
          this.#taken += wanted
          resolve(this.#freeing(wanted))
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#queue = [...this.#queue, place]
      this.#admit()
    })
  }

  /** Whether `take` would not wait. */
  hasRoom(alone: boolean): boolean {
    return this.#queue.length === 0 && this.#taken + this.#wanted(alone) <= this.#most
  }

  #wanted(alone: boolean): number {
    return alone ? this.#most : 1
  }

  #freeing(slots: number): () => void {
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      this.#taken -= slots
      this.#admit()
    }
  }

  #admit(): void {
    const [next, ...others] = this.#queue
    if (next === undefined || this.#taken + next.wanted > this.#most) return
    this.#queue = others
    next.admit()
    this.#admit()
  }
}
