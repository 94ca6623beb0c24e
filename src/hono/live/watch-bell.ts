/** Wakes those who wait for a change. */
export class WatchBell {
  readonly #waiting = new Set<() => void>()
  #rung = 0

  /** Number of changes so far. */
  get rung(): number {
    return this.#rung
  }

  ring(): void {
    this.#rung++
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  /** Calls back once, at the next change. Returns a function that cancels it. */
  once(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }

  /** Waits for the next change, or until the signal fires. */
  async next(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const cancel = this.once(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      })
      const stop = () => {
        cancel()
        resolve()
      }
      signal.addEventListener('abort', stop, { once: true })
    })
  }
}
