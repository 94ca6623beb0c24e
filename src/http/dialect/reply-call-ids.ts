import type { NewId } from '../../id.ts'

/** Assigns the ids of one reply's calls: the server's own at its first use, else a new one. */
export class ReplyCallIds {
  readonly #newId: NewId
  readonly #given = new Set<string>()

  constructor(newId: NewId) {
    this.#newId = newId
  }

  get any(): boolean {
    return this.#given.size > 0
  }

  /** Whether a call has this id. */
  has(wireId: string): boolean {
    return this.#given.has(wireId)
  }

  /** Returns the id for a new call. `wireId` is empty if the server sent none. */
  begin(wireId: string): string {
    const id = wireId === '' || this.#given.has(wireId) ? this.#newId.toolCall() : wireId
    this.#given.add(id)
    return id
  }
}
