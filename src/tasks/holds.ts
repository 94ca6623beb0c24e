import type { Clock } from '../clock.ts'
import type { StoredEvent } from '../event-store.ts'
import type { TaskId } from '../id.ts'
import type { TaskView } from '../task.ts'

/** Milliseconds before a claim that another holds is tried again: at first, and at most. */
const firstMs = 100
const longestMs = 1_000
/** Claims that were refused before and may be tried again at once, and milliseconds until one more may. */
const mostTries = 4
const tryMs = 100

interface Hold {
  readonly until: number
  readonly ms: number
}

/**
 * The tasks that a worker leaves alone for now: others hold their claims, or their last events have not come yet. It tries no more than ten
 * of them a second, so that a pool of many workers does not load its database with tries.
 */
export class Holds {
  readonly #clock: Pick<Clock, 'monotonic'>
  /** The one that was tried last comes last. */
  readonly #held = new Map<TaskId, Hold>()
  /** The number of the last event that is known to be stored. */
  readonly #expected = new Map<TaskId, number>()
  /** Monotonic time from which all tries are allowed again. */
  #allAt = 0

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Leaves a task alone for a while, each time for longer. */
  hold({ taskId }: TaskView, least = firstMs): void {
    const now = this.#clock.monotonic()
    const before = this.#held.get(taskId)
    if (before !== undefined) this.#allAt = Math.max(now, this.#allAt) + tryMs
    this.#set(taskId, Math.max(least, Math.min(longestMs, 2 * (before?.ms ?? 0))))
  }

  /** Leaves a task alone until its events up to this number have come. */
  expect(taskId: TaskId, seq: number): void {
    this.#held.delete(taskId)
    this.#expected.set(taskId, seq)
  }

  /** Forgets that a task was held. */
  free(taskId: TaskId): void {
    this.#held.delete(taskId)
  }

  /** Takes an event of a task, and whether it says that another worker has the task now. */
  see({ seq, payload: { taskId } }: StoredEvent, { isTaken }: { readonly isTaken: boolean }): void {
    if (isTaken) this.#set(taskId, longestMs)
    else this.#held.delete(taskId)
    if (seq >= (this.#expected.get(taskId) ?? 0)) this.#expected.delete(taskId)
  }

  /** Whether a task may be tried that was not tried before. */
  isFree({ taskId }: TaskView): boolean {
    return !this.#expected.has(taskId) && !this.#held.has(taskId)
  }

  /** Lists the tasks to try again now, the one first that was tried longest ago. */
  *due(): Generator<TaskId, void, undefined> {
    const now = this.#clock.monotonic()
    if (this.#allAt - now > (mostTries - 1) * tryMs) return
    for (const [taskId, { until }] of this.#held) if (until <= now) yield taskId
  }

  /** Whether a task is to be tried again. */
  areDue(): boolean {
    return this.due().next().done === false
  }

  #set(taskId: TaskId, ms: number): void {
    this.#held.delete(taskId)
    this.#held.set(taskId, { ms, until: this.#clock.monotonic() + ms })
  }
}
