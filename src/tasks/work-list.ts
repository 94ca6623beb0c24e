import type { StoredEvent } from '../event-store.ts'
import type { TaskId } from '../id.ts'
import { isOver, type SchedulerPolicy, type TaskView } from '../task.ts'
import { TaskBoard } from './board.ts'
import { afterEvent, noWork, type WorkHistory } from './work-history.ts'

export interface WorkListOptions {
  /** Whether a worker takes such tasks at all. Asked once a task. */
  readonly accepts: (task: TaskView) => boolean
  /** Sorts the tasks, the next one first. */
  readonly policy: SchedulerPolicy
}

/** The tasks that a worker may take, folded from the events of a store. An event costs O(1). */
export class WorkList {
  readonly #options: WorkListOptions
  readonly #board = new TaskBoard()
  /** The tasks that are not over, of those that the worker takes. */
  readonly #live = new Map<TaskId, WorkHistory>()
  /** Tasks in their order as of the last look; `undefined` if it may be another now. */
  #queue: readonly TaskId[] | undefined
  /** Whether the policy left out a task at the last look, which it may choose after any change. */
  #leavesOut = false

  constructor(options: WorkListOptions) {
    this.#options = options
  }

  /** Id of the last event; 0 before the first. */
  get cursor(): number {
    return this.#board.cursor
  }

  apply(event: StoredEvent): void {
    if (event.id <= this.#board.cursor) return
    const { taskId } = event.payload
    const before = this.#board.get(taskId)
    this.#board.apply(event)
    const task = this.#board.get(taskId)
    if (task === undefined) return
    if (this.#leavesOut && task.status !== before?.status) this.#queue = undefined
    if (isOver(task)) {
      this.#live.delete(taskId)
      return
    }
    const isNew = before === undefined
    if (isNew ? !this.#options.accepts(task) : !this.#live.has(taskId)) return
    this.#live.set(taskId, afterEvent(this.#live.get(taskId) ?? noWork, event))
    if (isNew || before.status === 'awaiting_user') this.#queue = undefined
  }

  get(id: TaskId): TaskView | undefined {
    return this.#board.get(id)
  }

  historyOf(id: TaskId): WorkHistory {
    return this.#live.get(id) ?? noWork
  }

  /** Returns the next task to take, of those that `isFree` names. */
  next(isFree: (task: TaskView) => boolean): TaskView | undefined {
    this.#queue ??= this.#order()
    for (const id of this.#queue) {
      const task = this.ready(id)
      if (task !== undefined && isFree(task)) return task
    }
    return undefined
  }

  /** Returns a task if it may be taken now. */
  ready(id: TaskId): TaskView | undefined {
    const task = this.#live.has(id) ? this.#board.get(id) : undefined
    return task !== undefined && this.#isReady(task) ? task : undefined
  }

  /** Asks the policy about the tasks that are not over, without those that wait for others, and about those that they follow. */
  #order(): readonly TaskId[] {
    const live = this.#known([...this.#live.keys()])
    const offered = live.filter((task) => !isTakable(task) || this.#isReady(task))
    const followed = this.#known(offered.flatMap(({ options }) => options?.after ?? []))
    const chosen = this.#options.policy([...offered, ...new Set(followed)]).map(({ taskId }) => taskId)
    const known = new Set(chosen)
    this.#leavesOut = live.some((task) => isTakable(task) && !known.has(task.taskId))
    return chosen
  }

  #known(ids: readonly TaskId[]): readonly TaskView[] {
    return ids.flatMap((id) => this.#board.get(id) ?? [])
  }

  #isReady(task: TaskView): boolean {
    const after = task.options?.after
    return isTakable(task) && (after === undefined || this.#board.get(after)?.status === 'done')
  }
}

function isTakable({ status }: TaskView): boolean {
  return status === 'open' || status === 'in_progress'
}
