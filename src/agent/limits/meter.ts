import { costOf, type Price } from '../../model.ts'
import { addUsage, noUsage, type Usage } from '../../usage.ts'

/** Takes account of spending. */
export interface Counter {
  count(usage: Usage, costUsd: number | undefined): void
}

/** Counts spending, here and in what this meter is a part of. */
export class Meter implements Counter {
  readonly #whole: Counter | undefined
  #usage: Usage
  #costUsd: number | undefined

  constructor(usage: Usage = noUsage, costUsd?: number, whole?: Counter) {
    this.#usage = usage
    this.#costUsd = costUsd
    this.#whole = whole
  }

  get usage(): Usage {
    return this.#usage
  }

  /** US dollars of the replies with a known price; `undefined` without any. */
  get costUsd(): number | undefined {
    return this.#costUsd
  }

  /** Creates a meter that starts at zero and also adds its counts to this one. */
  part(): Meter {
    return new Meter(noUsage, undefined, this)
  }

  /** Counts one reply. Returns its cost if its price is known. */
  add(usage: Usage, price: Price | undefined): number | undefined {
    const costUsd = price && costOf(usage, price)
    this.count(usage, costUsd)
    return costUsd
  }

  count(usage: Usage, costUsd: number | undefined): void {
    this.#usage = addUsage(this.#usage, usage)
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd
    this.#whole?.count(usage, costUsd)
  }
}

/** Formats a number without an exponent, to nine decimals: the price of a token has seven. */
export function decimal(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, '')
}
