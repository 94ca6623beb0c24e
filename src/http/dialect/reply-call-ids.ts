import type { NewId } from '../../id.ts'

/** The ids of one reply's calls: the server's own where it is given for the first time, else one that is made up. */
export class ReplyCallIds {
  readonly #newId: NewId
  readonly #given = new Set<string>()

  constructor(newId: NewId) {
    this.#newId = newId
  }

  /** Whether there are calls. */
  get any(): boolean {
    return this.#given.size > 0
  }

  /** Whether a call has this id. */
  has(wireId: string): boolean {
    return this.#given.has(wireId)
  }

  /** For a call that the server names so, or not at all (empty). */
  begin(wireId: string): string {
    const id = wireId === '' || this.#given.has(wireId) ? this.#newId.toolCall() : wireId
    this.#given.add(id)
    return id
  }
}
