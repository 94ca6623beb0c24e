import type { Clock } from '../clock.ts'
import type { StoredEvent } from '../event-store.ts'
import type { TaskId } from '../id.ts'
import type { TaskView } from '../task.ts'

/** Milliseconds before a claim that another holds is tried again: at first, and at most. */
const firstMs = 100
const longestMs = 1_000

interface Hold {
  readonly until: number
  readonly ms: number
}

/** The tasks that a worker leaves alone for now: others hold their claims, or their last events have not come yet. */
export class Holds {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #held = new Map<TaskId, Hold>()
  /** The number of the last event that is known to be stored. */
  readonly #expected = new Map<TaskId, number>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Leaves a task alone for a while, each time for longer. */
  hold({ taskId }: TaskView, least = firstMs): void {
    const ms = Math.max(least, Math.min(longestMs, 2 * (this.#held.get(taskId)?.ms ?? 0)))
    this.#held.set(taskId, { ms, until: this.#clock.monotonic() + ms })
  }

  /** Leaves a task alone until its events up to this number have come. */
  expect(taskId: TaskId, seq: number): void {
    this.#held.delete(taskId)
    this.#expected.set(taskId, seq)
  }

  see({ seq, payload: { taskId } }: StoredEvent): void {
    this.#held.delete(taskId)
    if (seq >= (this.#expected.get(taskId) ?? 0)) this.#expected.delete(taskId)
  }

  isFree({ taskId }: TaskView): boolean {
    return !this.#expected.has(taskId) && (this.#held.get(taskId)?.until ?? 0) <= this.#clock.monotonic()
  }

  /** Whether a task is to be tried again. */
  areDue(): boolean {
    const now = this.#clock.monotonic()
    return [...this.#held.values()].some(({ until }) => until <= now)
  }
}
