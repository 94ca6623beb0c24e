const plain = /^[A-Za-z0-9_-]{1,40}$/

/** Whether every server takes an id back, but those that want one length. */
export function isPlainId(id: string): boolean {
  return plain.test(id)
}

/**
 * Makes tool call ids acceptable to a server, those of other vendors included: an id that fits and was not used before stays as
 * it is, any other becomes the next free number. The same history always gives the same ids, so that caches hold.
 */
export class CallIds {
  readonly #fits: RegExp
  readonly #number: (n: number) => string
  readonly #given = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** `length` is the exact length of an id of letters and digits; without it up to 40 of letters, digits, `_` and `-`. */
  constructor(length?: number) {
    this.#fits = length === undefined ? plain : new RegExp(`^[A-Za-z0-9]{${length}}$`)
    this.#number = length === undefined ? (n) => `call_${n}` : (n) => String(n).padStart(length, '0')
  }

  /**
   * For a call. Some servers number the calls of each reply anew: every call gets an id of its own. One that the server made itself
   * (`isOwn`) fits in any form.
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

  /** For a result: the id that the last call with this one was given. */
  get(id: string): string {
    return this.#given.get(id) ?? this.begin(id)
  }
}
