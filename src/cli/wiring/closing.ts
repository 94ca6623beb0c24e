/** What was opened, closed in reverse, each once. */
export class Closing {
  readonly #steps: (() => Promise<void> | void)[] = []

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }

  /** Takes every step, also after one that failed, and throws what failed. */
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
