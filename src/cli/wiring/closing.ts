/** Closes resources in reverse order, each once. */
export class Closing {
  readonly #steps: (() => Promise<void> | void)[] = []

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }

  /** Runs every step, even after a failure, and throws the failure. */
  async close(): Promise<void> {
    const step = this.#steps.pop()
    if (step === undefined) return
    try {
      await step()
    } finally {
      await this.close()
    }
  }
}
