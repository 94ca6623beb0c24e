import type { Entry } from './entry.ts'
import { Tree } from './tree.ts'

/** Something in the file that cannot be imported. */
export interface LeftOut {
  /** In the plural, in plain words. */
  readonly kind: string
  readonly count: number
}

/** Collects another agent's session while it is read. */
export class Draft {
  readonly tree: Tree
  /** The session's id in that agent. */
  sourceId: string | undefined
  cwd: string | undefined
  title: string | undefined
  readonly #leftOut = new Map<string, number>()

  constructor() {
    this.tree = new Tree((kind, count) => this.leaveOut(kind, count))
  }

  /** The most frequent first. */
  get leftOut(): readonly LeftOut[] {
    return Array.from(this.#leftOut, ([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count)
  }

  add(entry: Entry): void {
    this.tree.add(entry)
  }

  leaveOut(kind: string, count = 1): void {
    this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count)
  }
}
