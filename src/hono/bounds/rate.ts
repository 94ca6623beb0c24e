import type { Clock } from '../../clock.ts'
import type { Rate } from './server-limits.ts'

interface Bucket {
  /** Requests that may come at once. */
  readonly left: number
  readonly at: number
}

export interface RateOptions extends Rate {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Clients to remember. */
  readonly clients: number
}

/** Counts the requests of each client: `burst` at once, and `perSecond` from then on. */
export class RequestRate {
  readonly #options: RateOptions
  /** In order of use. */
  readonly #buckets = new Map<string, Bucket>()

  constructor(options: RateOptions) {
    this.#options = options
  }

  /** Counts a request. Returns the milliseconds to wait if it is one too many. */
  take(client: string): number | undefined {
    const { perSecond, burst, clock, clients } = this.#options
    const now = clock.monotonic()
    const { left: before, at } = this.#buckets.get(client) ?? { left: burst, at: now }
    const left = Math.min(burst, before + ((now - at) * perSecond) / 1_000)
    const isTooMany = left < 1
    this.#buckets.delete(client)
    this.#buckets.set(client, { left: isTooMany ? left : left - 1, at: now })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > clients && oldest !== undefined) this.#buckets.delete(oldest)
    return isTooMany ? ((1 - left) * 1_000) / perSecond : undefined
  }
}

/** Names the client behind an address: IPv6 by its network, of which one client has all addresses. */
export function clientOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') ? networkOf(plain) : plain
}

/** Returns the first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'))
  const [before, after] = [groups(head), groups(tail)]
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4).join(':')
}
