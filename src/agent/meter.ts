import { costOf, type Price } from '../model.ts'
import { addUsage, noUsage, type Usage } from '../usage.ts'

/** Counts what is spent: here, and in the whole that this is a part of. */
export class Meter {
  readonly #whole: Meter | undefined
  #usage: Usage
  #costUsd: number | undefined

  constructor(usage: Usage = noUsage, costUsd?: number, whole?: Meter) {
    this.#usage = usage
    this.#costUsd = costUsd
    this.#whole = whole
  }

  get usage(): Usage {
    return this.#usage
  }

  /** US dollars, as far as prices were known; `undefined` where none was. */
  get costUsd(): number | undefined {
    return this.#costUsd
  }

  /** A meter from zero, whose counts are counted here too. */
  part(): Meter {
    return new Meter(noUsage, undefined, this)
  }

  /** Counts one reply, and gives its cost where its price is known. */
  add(usage: Usage, price: Price | undefined): number | undefined {
    const costUsd = price && costOf(usage, price)
    this.#count(usage, costUsd)
    return costUsd
  }

  #count(usage: Usage, costUsd: number | undefined): void {
    this.#usage = addUsage(this.#usage, usage)
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd
    if (this.#whole !== undefined) this.#whole.#count(usage, costUsd)
  }
}

/** A number without an exponent, to nine decimals: the price of a token has seven. */
export function decimal(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, '')
}
