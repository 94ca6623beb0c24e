import type { TaskView } from './task.ts'

interface Cancellable {
  readonly signal: AbortSignal
}

/** A task as a model describes it. */
export interface SubtaskDraft {
  readonly text: string
  /** Id of the agent that is to work on it. */
  readonly agentId: string
  /** Actor id. */
  readonly author: string
}

/** The board of tasks for a model: tasks that belong to the one that it works on, if it works on one. */
export interface Subtasks {
  /** The names of the agents that can work on tasks. */
  agents(options: Cancellable): Promise<readonly string[]>
  /** Throws `invalid` for a text without words. */
  add(draft: SubtaskDraft, options: Cancellable): Promise<TaskView>
  /** Returns the subtasks of its task, or without one all tasks that are not over. */
  list(options: Cancellable): Promise<readonly TaskView[]>
  /** Finds a task by its id or the beginning of it. Throws `input`. */
  show(id: string, options: Cancellable): Promise<TaskView>
}
