import type { LocatedFile } from './located-file.ts'

/** Tracks which revision of each file the model has seen, and serialises changes to it. Paths with one target share an entry. */
export class ReadLedger {
  /** By real path. */
  readonly #seen = new Map<string, string>()
  /** The target of each path when the model last saw it. */
  readonly #led = new Map<string, string>()
  readonly #last = new Map<string, Promise<unknown>>()

  /** Records that the model has seen or written this revision. */
  record({ path, real }: Pick<LocatedFile, 'path' | 'real'>, revision: string): void {
    this.#seen.set(real, revision)
    this.#led.set(path, real)
  }

  /** Why a file in this revision may not be changed yet. `undefined` if it may. */
  objection({ path, real }: LocatedFile, revision: string): string | undefined {
    const seen = this.#seen.get(real)
    if ((this.#led.get(path) ?? real) !== real) return 'it now leads to a different file; read it again'
    if (seen === undefined) return 'it has not been read yet; read it first'
    if (seen !== revision) return 'it has changed since it was read; read it again'
    return undefined
  }

  /** An independent copy of what the model has seen. */
  copy(): ReadLedger {
    const copy = new ReadLedger()
    for (const [real, revision] of this.#seen) copy.#seen.set(real, revision)
    for (const [path, real] of this.#led) copy.#led.set(path, real)
    return copy
  }

  /** Runs the changes of one file one after the other. */
  async exclusively<Result>({ real }: LocatedFile, change: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(real)
    const own = settled(before).then(change)
    this.#last.set(real, own)
    try {
      return await own
    } finally {
      if (this.#last.get(real) === own) this.#last.delete(real)
    }
  }
}

/** Waits for the previous change. Ignores its failure, which its own caller handles. */
async function settled(before: Promise<unknown> | undefined): Promise<void> {
  await Promise.allSettled([before])
}
