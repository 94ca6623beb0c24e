import type { Clock } from '../../clock.ts'
import { formatCost } from '../../frontend/words/amount.ts'
import { formatDuration } from '../../frontend/words/duration.ts'
import type { Output } from '../../terminal/output.ts'

/** Milliseconds between two looks of the line. */
const drawEveryMs = 200

/** Counts the records of a run. */
export interface Advance {
  readonly done: number
  readonly failed: number
  /** US dollars. Absent if no price is known. */
  readonly costUsd: number | undefined
  /** The part of the input that is behind, from 0 to 1. Absent if its size is not known. */
  readonly part: number | undefined
}

/** A line at the bottom of a terminal. Anything else that is written there takes it away first. */
export class ProgressLine {
  readonly #output: Output
  readonly #clock: Clock
  readonly #began: number
  #drawnAt = Number.NEGATIVE_INFINITY
  #isShown = false

  constructor(output: Output, clock: Clock) {
    this.#output = output
    this.#clock = clock
    this.#began = clock.monotonic()
  }

  show(advance: Advance): void {
    const now = this.#clock.monotonic()
    if (now - this.#drawnAt < drawEveryMs) return
    this.#drawnAt = now
    this.#output.write(`\r${describeAdvance(advance, now - this.#began)}\x1b[K`)
    this.#isShown = true
  }

  /** Takes the line away. */
  clear(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#drawnAt = Number.NEGATIVE_INFINITY
    this.#output.write('\r\x1b[K')
  }
}

/** `312 done, 2 failed, $0.13, 4 m 10 s left`. */
export function describeAdvance({ done, failed, costUsd, part }: Advance, spentMs: number): string {
  const leftMs = part === undefined || part <= 0 ? undefined : (spentMs * (1 - part)) / part
  return [
    `${done} done`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(costUsd === undefined ? [] : [formatCost(costUsd)]),
    ...(leftMs === undefined || leftMs < 1_000 ? [] : [`${formatDuration(leftMs)} left`]),
  ].join(', ')
}
