/** The change from one conversation to another. */
export class ConversationSwitch {
  #opening: Promise<boolean> | undefined

  /** While another conversation opens: resolves with whether it did. */
  get opening(): Promise<boolean> | undefined {
    return this.#opening
  }

  /** Changes the conversation. Rejects if the change fails. */
  async run(change: () => Promise<void>): Promise<void> {
    const changed = change()
    this.#opening = changed.then(
      () => true,
      () => false,
    )
    try {
      await changed
    } finally {
      this.#opening = undefined
    }
  }
}
