import { join, relative } from 'node:path'
import { isWithin } from '../../machine/path.ts'
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

  /** Records that a file, or a folder with all that was seen in it, has another path. Returns the revision of a file that was seen. */
  moved(from: LocatedFile, to: LocatedFile): string | undefined {
    for (const [real, revision] of [...this.#seen]) {
      if (!isWithin(real, from.real)) continue
      this.#seen.delete(real)
      this.#seen.set(join(to.real, relative(from.real, real)), revision)
    }
    for (const [path, real] of [...this.#led]) if (isWithin(real, from.real)) this.#led.delete(path)
    return this.#seen.get(to.real)
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
