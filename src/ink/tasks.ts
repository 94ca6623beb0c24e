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
  readonly submit: (written: PromptText) => void
}

/** Long work for the user, other than a turn. */
export interface Task {
  /** Label of the work, such as `undoing`. */
  readonly doing: string
  /** Note to show if the work was stopped. */
  readonly stopped: string
  /** Returns a note for the user. Throws `PipeError`: `aborted` if the signal prevented the work from starting. */
  readonly act: (signal: AbortSignal) => Promise<string | undefined>
}

/**
 * Runs tasks one at a time and shows each from its start. Messages sent meanwhile wait, and go back to the prompt if the
 * task fails.
 */
export class Tasks {
  readonly #options: TasksOptions
  #stop = new AbortController()
  #ended: Promise<void> = Promise.resolve()
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

  /** Runs a task. Throws `conflict` while a turn or a task runs. Rejects on an internal error. */
  run(task: Task): Promise<void> {
    const { store, clock } = this.#options
    this.requireIdle()
    this.#stop = new AbortController()
    store.dispatch({ type: 'task_begun', doing: task.doing, at: clock.monotonic() })
    const ended = this.#run(task, this.#stop.signal)
    this.#ended = ended.catch(() => undefined)
    return ended
  }

  /** Postpones a message until the task has ended; shows it as `shown` until then. */
  postpone(written: PromptText, shown: string): void {
    this.#options.store.dispatch({ type: 'postponed', waiting: { text: shown, written } })
  }

  /** Stops the task if it has not changed anything yet; otherwise it soon ends by itself. */
  stop(): void {
    this.#stop.abort()
  }

  /** Waits for the running task and prevents postponed messages from being sent. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#ended
  }

  async #run({ act, stopped }: Task, stop: AbortSignal): Promise<void> {
    const { store, note, submit } = this.#options
    const over = new AbortController()
    const ticking = tickUntil(over.signal, this.#options)
    let isDone = false
    try {
      const told = await act(stop)
      if (told !== undefined) note('info', told)
      isDone = !this.#isClosing
    } catch (error) {
      if (!isPipeError(error)) throw error
      if (error.code === 'aborted') note('info', stopped)
      else note('error', error.message)
    } finally {
      over.abort()
      await ticking
      const later = store.screen.task?.later ?? []
      store.dispatch({ type: 'task_ended', isDone })
      if (isDone) for (const { written } of later) submit(written)
    }
  }
}
