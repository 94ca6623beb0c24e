import type { Limits } from '../engine.ts'
import type { StoredEvent } from '../event-store.ts'
import type { TaskId } from '../id.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { PermissionMode } from '../permission.ts'
import type { TaskPriority, TaskView } from '../task.ts'

/** Everything about one task that a front end shows. Texts are as they are stored. */
export interface TaskDetails {
  /** Names and values, in the order in which they are shown. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** Its events, a line each, the oldest first. */
  readonly log: readonly string[]
}

/** Properties of a new task. */
export interface TaskWishes {
  /** Default: `normal`. */
  readonly priority?: TaskPriority | undefined
  /** The name of the agent that is to work on it, or `agent_NAME`. Default: the user's usual one. */
  readonly agent?: string | undefined
  /** References as `--ref` takes them, besides those of the text. */
  readonly refs?: readonly string[]
  /** The task that must be done first: its id, or the beginning of it. */
  readonly after?: string | undefined
  /** `provider/model[:level]`, or the name of a route. */
  readonly model?: string | undefined
  readonly mode?: PermissionMode | undefined
  readonly limits?: Limits
}

/** The board of tasks, as a front end shows and changes it. Methods throw what the store throws. */
export interface TaskActions {
  /**
   * Puts a task on the board, to be done in the working folder. Throws `usage` for a text without a visible character and for malformed
   * wishes, `input` for a reference or a task that does not exist.
   */
  add(text: string, signal: AbortSignal, wishes?: TaskWishes): Promise<TaskView>
  /** Returns all tasks, the oldest first; none if there is no board yet. */
  list(signal: AbortSignal): Promise<readonly TaskView[]>
  /** Returns `undefined` if there is no such task. */
  find(id: TaskId, signal: AbortSignal): Promise<TaskView | undefined>
  /** Yields the events of a task with a higher id, then those that any process appends, until the signal fires: it ends then. */
  events(
    id: TaskId,
    options: { readonly after?: number; readonly signal: AbortSignal },
  ): AsyncGenerator<StoredEvent, undefined, undefined>
  /** Yields all tasks, then those that any process changes, until the signal fires: it ends then. */
  follow(signal: AbortSignal): AsyncGenerator<readonly TaskView[], undefined, undefined>
  /**
   * Yields the number of tasks that await an answer each time it changes, until the signal fires: it ends then. Ends at once if no task
   * was ever added. Does nothing while no task changes.
   */
  questions(signal: AbortSignal): AsyncGenerator<number, undefined, undefined>
  details(id: TaskId, signal: AbortSignal): Promise<TaskDetails>
  /** Returns the question that a task asks; `undefined` if it asks none any more. */
  question(id: TaskId, signal: AbortSignal): Promise<Interaction | undefined>
  /** Answers the question of a task. Throws `conflict` if somebody has answered it, `invalid` for an answer that does not fit. */
  answer?(id: TaskId, response: InteractionResponse, signal: AbortSignal): Promise<void>
  /** Throws `conflict` if the task is over. */
  cancel(id: TaskId, signal: AbortSignal): Promise<void>
  /** Returns what a finished task would change, as a unified diff; empty if nothing. */
  diff?(id: TaskId, signal: AbortSignal): Promise<string>
  /** Applies it to the working folder and returns a report. */
  apply?(id: TaskId, signal: AbortSignal): Promise<string>
}
