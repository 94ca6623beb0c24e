/**
 * Makes tool call ids acceptable to a server, those of other vendors included: an id that fits stays as it is, any other becomes
 * the next free number. The same history always gives the same ids, so that caches hold; call and result meet in one instance.
 */
export class CallIds {
  readonly #fits: RegExp
  readonly #number: (n: number) => string
  readonly #given = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** `length` is the exact length of an id of letters and digits; without it up to 40 of letters, digits, `_` and `-`. */
  constructor(length: number | undefined) {
    this.#fits = length === undefined ? /^[A-Za-z0-9_-]{1,40}$/ : new RegExp(`^[A-Za-z0-9]{${length}}$`)
    this.#number = length === undefined ? (n) => `call_${n}` : (n) => String(n).padStart(length, '0')
  }

  get(id: string): string {
    const known = this.#given.get(id)
    if (known !== undefined) return known
    let accepted = id
    for (let n = this.#given.size; !this.#isFree(accepted); n++) accepted = this.#number(n)
    this.#given.set(id, accepted)
    this.#taken.add(accepted)
    return accepted
  }

  #isFree(id: string): boolean {
    return this.#fits.test(id) && !this.#taken.has(id)
  }
}
