/** Which revision of each file the model has seen, and whose turn it is to change a file. */
export class ReadLedger {
  readonly #seen = new Map<string, string>()
  readonly #last = new Map<string, Promise<unknown>>()

  /** The model has seen this revision, or made it. */
  record(path: string, revision: string): void {
    this.#seen.set(path, revision)
  }

  /** Why a file in this revision may not be changed yet, if so. */
  objection(path: string, revision: string): string | undefined {
    const seen = this.#seen.get(path)
    if (seen === undefined) return 'it has not been read yet; read it first'
    if (seen !== revision) return 'it has changed since it was read; read it again'
    return undefined
  }

  /** Runs changes of one file one after the other. */
  async exclusively<Result>(path: string, change: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(path)
    const own = settled(before).then(change)
    this.#last.set(path, own)
    try {
      return await own
    } finally {
      if (this.#last.get(path) === own) this.#last.delete(path)
    }
  }
}

/** Whether the change before succeeded is told to its own caller. */
async function settled(before: Promise<unknown> | undefined): Promise<void> {
  await Promise.allSettled([before])
}
