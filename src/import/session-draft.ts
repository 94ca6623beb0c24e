import type { ImportEntry } from './import-entry.ts'
import type { LeaveOut, LeftOut } from './left-out.ts'
import { Tree } from './tree.ts'

/** Collects another agent's session while it is read. */
export class SessionDraft {
  readonly leaveOut: LeaveOut
  readonly tree: Tree
  /** The session's id in that agent. */
  sourceId: string | undefined
  cwd: string | undefined
  title: string | undefined
  /** Another agent began it, not the user. */
  isOfSubAgent = false
  readonly #leftOut = new Map<string, number>()

  constructor() {
    this.leaveOut = (kind, count = 1) => {
      this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count)
    }
    this.tree = new Tree(this.leaveOut)
  }

  /** The most frequent first. */
  get leftOut(): readonly LeftOut[] {
    return Array.from(this.#leftOut, ([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count)
  }

  /** Whether the last message has words of the user's own. */
  get hasPrompt(): boolean {
    const entry = this.tree.nodes.at(-1)?.entry
    if (entry?.type !== 'user' || entry.isReport === true) return false
    return entry.content
      .slice(entry.context ?? 0)
      .some((block) => block.type === 'text' && block.text.trim() !== '')
  }

  add(entry: ImportEntry): void {
    this.tree.add(entry)
  }
}
