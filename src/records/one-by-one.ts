/** Does work one piece after another, in the order in which it is given. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs work once all before it has ended. A failure rejects only its own call, not the next one. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Resolves once all work that was given has ended, however it did. */
  async ended(): Promise<void> {
    await this.#last
  }
}
