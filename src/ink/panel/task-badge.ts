import type { Clock } from '../../clock.ts'
import type { TaskActions } from '../../frontend/task-actions.ts'
import type { Store } from '../store.ts'

export interface TaskBadgeOptions {
  readonly store: Store
  readonly clock: Clock
  readonly actions: TaskActions
  /** Runs work in the background and shows its `PipeError`. */
  readonly attempt: (act: () => Promise<void>) => void
  /** Fires when the screen closes. */
  readonly signal: AbortSignal
}

/** Keeps the status line's number of tasks that await an answer. */
export class TaskBadge {
  readonly #options: TaskBadgeOptions
  #isWatching = false

  constructor(options: TaskBadgeOptions) {
    this.#options = options
  }

  /** Begins to watch once pending work is done, unless it watches already. Ends by itself while there are no tasks. */
  start(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    const { clock, attempt } = this.#options
    clock.after(0, () => attempt(() => this.#watch()))
  }

  async #watch(): Promise<void> {
    const { store, actions, signal } = this.#options
    try {
      for await (const waitingTasks of actions.questions(signal)) {
        if (signal.aborted) return
        store.dispatch({ type: 'status', status: { waitingTasks } })
      }
    } finally {
      this.#isWatching = false
    }
  }
}
