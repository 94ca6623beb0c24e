import type { Clock } from '../../clock.ts'
import { isPipeError, type PipeError } from '../../error.ts'
import { mayPass, serverWait } from '../../reply/backoff.ts'

/** Ends a request that was let through. `failure`: why it failed. */
export type Leave = (failure: PipeError | undefined) => void

/** Counts the requests to one server. */
interface Lane {
  /** No request begins before this time. */
  openAt: number
  /** The most requests at once. It falls when the server has had too much, and rises with each reply. */
  most: number
  running: number
  /** Refusals in a row. */
  refusals: number
  waiting: (() => void)[]
}

/**
 * Holds the requests of many conversations back together: a server that has had too much of one of them gets a rest from all, and then fewer
 * at once.
 */
export class Pace {
  readonly #clock: Clock
  readonly #lanes = new Map<string, Lane>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Waits until a request to this provider may begin. Resolves at once if the signal fires: the request then finds that out. */
  async enter(provider: string, signal: AbortSignal): Promise<Leave> {
    const lane = this.#laneOf(provider)
    while (!signal.aborted) {
      const restMs = lane.openAt - this.#clock.monotonic()
      if (restMs > 0) await this.#rest(restMs, signal)
      else if (lane.running >= lane.most) await turnOf(lane, signal)
      else break
    }
    lane.running += 1
    const began = this.#clock.monotonic()
    return (failure) => this.#leave(lane, began, failure)
  }

  #laneOf(provider: string): Lane {
    const known = this.#lanes.get(provider)
    if (known !== undefined) return known
    const most = Number.POSITIVE_INFINITY
    const lane: Lane = { openAt: 0, most, running: 0, refusals: 0, waiting: [] }
    this.#lanes.set(provider, lane)
    return lane
  }

  #leave(lane: Lane, began: number, failure: PipeError | undefined): void {
    const { running } = lane
    lane.running -= 1
    if (failure === undefined) {
      lane.refusals = 0
      lane.most += 1 / lane.most
    } else if (hasTooMuch(failure)) {
      // Requests that were under way together are refused together, which counts once.
      if (began >= lane.openAt) {
        lane.refusals += 1
        lane.most = Math.max(1, Math.floor(running / 2))
      }
      lane.openAt = Math.max(lane.openAt, this.#clock.monotonic() + serverWait(failure, lane.refusals))
    }
    const waiting = lane.waiting
    lane.waiting = []
    for (const wake of waiting) wake()
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(ms, signal)
    } catch (error) {
      if (!isPipeError(error)) throw error
    }
  }
}

/** Whether a server refused a request that it would take later. A refusal that lasts, as of a spent account, says nothing about the pace. */
function hasTooMuch(failure: PipeError): boolean {
  return (failure.code === 'rate_limited' || failure.code === 'overloaded') && mayPass(failure)
}

/** Resolves when a request has ended, or the signal fires. */
function turnOf(lane: Lane, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      signal.removeEventListener('abort', wake)
      resolve()
    }
    signal.addEventListener('abort', wake, { once: true })
    lane.waiting.push(wake)
  })
}
