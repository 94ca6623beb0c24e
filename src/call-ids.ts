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
    this.#fits = length === undefined ? /^[A-Za-z0-9_-]{1,40}$/ : new RegExp(`^[A-Za-z0-9]{${length}}$`)
    this.#number = length === undefined ? (n) => `call_${n}` : (n) => String(n).padStart(length, '0')
  }

  /** For a call. Some servers number the calls of each reply anew: every call gets an id of its own. */
  begin(id: string): string {
    let accepted = id
    for (let n = this.#taken.size; !this.#isFree(accepted); n++) accepted = this.#number(n)
    this.#given.set(id, accepted)
    this.#taken.add(accepted)
    return accepted
  }

  /** For a result: the id that the last call with this one was given. */
  get(id: string): string {
    return this.#given.get(id) ?? this.begin(id)
  }

  #isFree(id: string): boolean {
    return this.#fits.test(id) && !this.#taken.has(id)
  }
}
