/** Wakes one waiter. A ring that nobody waits for wakes the next one at once. */
export class Bell {
  #isRung = false
  #wake: (() => void) | undefined

  ring(): void {
    const wake = this.#wake
    this.#wake = undefined
    if (wake === undefined) this.#isRung = true
    else wake()
  }

  async heard(): Promise<void> {
    if (!this.#isRung)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    this.#isRung = false
  }
}
