import type { Clock } from '../clock.ts'
import { isPipeError, PipeError } from '../error.ts'
import { keyOf } from './keys/bindings.ts'
import type { PromptText } from './prompt/prompt.ts'
import type { Store } from './store.ts'
import { tickUntil } from './tick.ts'

export interface TasksOptions {
  readonly store: Store
  readonly clock: Clock
  readonly note: (level: 'info' | 'error', text: string) => void
  /** Sends a postponed message. */
  readonly submit: (message: PromptText) => void
}

/** Long work for the user, other than a turn. */
export interface Task {
  /** Label of the work, such as `undoing`. */
  readonly doing: string
  /** Shown if the work was stopped. */
  readonly stoppedNote: string
  /** Returns a note for the user. Throws `PipeError`: `aborted` if the signal prevented the work from starting. */
  readonly work: (signal: AbortSignal) => Promise<string | undefined>
}

/**
 * Runs tasks one at a time and shows each from its start. Messages sent meanwhile are postponed: they are sent after a
 * task that succeeded, and go back to the prompt after any other.
 */
export class Tasks {
  readonly #options: TasksOptions
  /** The latest task, running or ended. */
  #latest: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined
  #isClosing = false

  constructor(options: TasksOptions) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#options.store.screen.task !== undefined
  }

  /** Throws `conflict` while a turn or a task runs. */
  requireIdle(): void {
    const { busySince, task, bindings } = this.#options.store.screen
    const running = busySince !== undefined ? 'a turn is running' : task && `pipe is ${task.doing}`
    if (running !== undefined)
      throw new PipeError('conflict', `${running}: stop it with ${keyOf(bindings, 'interrupt')} first`)
  }

  /** Runs a task to its end. Throws `conflict` while a turn or a task runs. Rejects on an internal error. */
  run(task: Task): Promise<void> {
    this.requireIdle()
    const stop = new AbortController()
    const ended = this.#run(task, stop.signal)
    this.#latest = { stop, ended }
    return ended
  }

  /** Postpones a message until the running task has ended; shows it as `shown` until then. */
  postpone(message: PromptText, shown: string): void {
    this.#options.store.dispatch({ type: 'postponed', waiting: { text: shown, written: message } })
  }

  /** Stops the running task if it has not changed anything yet; otherwise it soon ends by itself. */
  stop(): void {
    this.#latest?.stop.abort()
  }

  /** Waits for the running task and prevents postponed messages from being sent. */
  async close(): Promise<void> {
    this.#isClosing = true
    // The caller of `run` gets the error.
    await this.#latest?.ended.catch(() => undefined)
  }

  async #run(task: Task, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#options
    store.dispatch({ type: 'task_begun', doing: task.doing, at: clock.monotonic() })
    const ended = new AbortController()
    const ticking = tickUntil(ended.signal, this.#options)
    let hasSucceeded = false
    try {
      hasSucceeded = await this.#work(task, signal)
    } finally {
      ended.abort()
      await ticking
      this.#end(hasSucceeded && !this.#isClosing)
    }
  }

  /** Does the work and notes its outcome. Returns whether it succeeded. */
  async #work({ work, stoppedNote }: Task, signal: AbortSignal): Promise<boolean> {
    const { note } = this.#options
    try {
      const outcome = await work(signal)
      if (outcome !== undefined) note('info', outcome)
      return true
    } catch (error) {
      if (!isPipeError(error)) throw error
      if (error.code === 'aborted') note('info', stoppedNote)
      else note('error', error.message)
      return false
    }
  }

  /** Ends the task on the screen, and sends the postponed messages if they may be sent. */
  #end(maySend: boolean): void {
    const { store, submit } = this.#options
    // The event takes them off the screen.
    const postponed = store.screen.task?.later ?? []
    store.dispatch({ type: 'task_ended', isDone: maySend })
    if (maySend) for (const { written } of postponed) submit(written)
  }
}
