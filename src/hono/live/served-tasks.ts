import { PipeError } from '../../error.ts'
import type { TaskActions } from '../../frontend/task-actions.ts'
import { isTaskId, type TaskId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import type { TaskView } from '../../task.ts'
import { encodeTaskView } from '../../wire/task-json.ts'
import type { Backend, ServedProject } from '../backend.ts'
import { chosenProject } from '../chosen-project.ts'

/** A task of a project, and the board as seen from there. */
export interface ServedTask {
  readonly id: TaskId
  readonly task: TaskView
  readonly project: ServedProject
  readonly actions: TaskActions
}

/** The tasks that this server may show: those that were created in the folder of a project, or below it. */
export class ServedTasks {
  readonly #backend: Pick<Backend, 'projects' | 'tasks'>
  readonly #actions = new Map<ServedProject, TaskActions>()

  constructor(backend: Pick<Backend, 'projects' | 'tasks'>) {
    this.#backend = backend
  }

  /** Returns the board as seen from a project. All see the same tasks. */
  actions(project: ServedProject): TaskActions {
    const actions = this.#actions.get(project) ?? this.#backend.tasks(project)
    this.#actions.set(project, actions)
    return actions
  }

  /** Returns a task with its project. Throws `not_found`. */
  async find(id: string, signal: AbortSignal): Promise<ServedTask> {
    const task = isTaskId(id) ? await this.#first.find(id, signal) : undefined
    const project = task && this.projectOf(task)
    if (task === undefined || project === undefined)
      throw new PipeError('not_found', `there is no task ${id} in the folders of this server`)
    return { id: task.taskId, task, project, actions: this.actions(project) }
  }

  /** Returns all tasks of the projects, the oldest first. */
  async list(signal: AbortSignal): Promise<readonly TaskView[]> {
    const tasks = await this.#first.list(signal)
    return tasks.filter((task) => this.projectOf(task) !== undefined)
  }

  /** Yields tasks of the projects that change from now on, until the signal fires. */
  async *changes(signal: AbortSignal): AsyncGenerator<TaskView, undefined, undefined> {
    let isFirst = true
    for await (const tasks of this.#first.follow(signal)) {
      if (!isFirst) for (const task of tasks) if (this.projectOf(task) !== undefined) yield task
      isFirst = false
    }
    return undefined
  }

  /** Returns the project whose folder is nearest above that of the task. */
  projectOf({ options }: TaskView): ServedProject | undefined {
    const folder = options?.folder
    if (folder === undefined) return undefined
    return this.#backend.projects
      .filter(({ cwd }) => folder === cwd || folder.startsWith(cwd.endsWith('/') ? cwd : `${cwd}/`))
      .sort((a, b) => b.cwd.length - a.cwd.length)[0]
  }

  encode(task: TaskView): JsonObject {
    return { ...encodeTaskView(task), project: this.projectOf(task)?.name ?? '' }
  }

  get #first(): TaskActions {
    return this.actions(chosenProject(this.#backend))
  }
}
