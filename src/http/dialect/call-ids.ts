const plain = /^[A-Za-z0-9_-]{1,40}$/

/** Whether all servers accept this id, except those that want a fixed length. */
export function isPlainId(id: string): boolean {
  return plain.test(id)
}

/**
 * Makes tool call ids acceptable to a server, also those of other vendors. A valid unused id is kept; any other becomes the next
 * free number. The same history always gives the same ids, so that caches hit.
 */
export class CallIds {
  readonly #fits: RegExp
  readonly #number: (n: number) => string
  readonly #given = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** `length`: exact length of ids of letters and digits. Default: up to 40 letters, digits, `_` and `-`. */
  constructor(length?: number) {
    this.#fits = length === undefined ? plain : new RegExp(`^[A-Za-z0-9]{${length}}$`)
    this.#number = length === undefined ? (n) => `call_${n}` : (n) => String(n).padStart(length, '0')
  }

  /**
   * Returns a unique id for a call: some servers restart their numbers in each reply. Ids made by the server itself (`isOwn`) may
   * have any form.
   */
  begin(id: string, isOwn = false): string {
    let accepted = id
    let fits = isOwn || this.#fits.test(id)
    for (let n = this.#taken.size; !fits || this.#taken.has(accepted); n++) {
      accepted = this.#number(n)
      fits = true
    }
    this.#given.set(id, accepted)
    this.#taken.add(accepted)
    return accepted
  }

  /** Returns the id for a result: that of the last call with this id. */
  get(id: string): string {
    return this.#given.get(id) ?? this.begin(id)
  }
}
