import { ownAgent } from '../../../actor.ts'
import { PipeError } from '../../../error.ts'
import type { EventStore } from '../../../event-store.ts'
import { mentions } from '../../../frontend/mentions.ts'
import { cleanTitle } from '../../../history/title-text.ts'
import type { TaskId } from '../../../id.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { PermissionMode } from '../../../permission.ts'
import { isOver, type SubtaskDraft, type Subtasks, type TaskOptions, type TaskView } from '../../../task.ts'
import type { TaskDraft } from '../../../tasks/task-change.ts'
import { parseReference } from '../../../wire/reference.ts'
import type { Machine } from '../../machine.ts'
import { readAgents } from '../found-agents.ts'
import type { WireContext } from '../wire-context.ts'

/**
 * Returns the board for the tool `task`. What a model adds there is carried out in no looser mode than the
 * one in force, and under the limits of the task that it works on.
 */
export function openSubtasks(context: WireContext, mode: () => PermissionMode): Subtasks {
  const { machine, choices, loaded } = context
  const board = new SubtaskBoard(machine, choices.taskId, mode)
  return {
    agents: async ({ signal }) => {
      const { agents } = await readAgents(machine, loaded, signal)
      return [ownAgent.replace('agent_', ''), ...agents.keys()]
    },
    add: (draft, { signal }) => board.add(draft, signal),
    list: ({ signal }) => board.list(signal),
    show: (id, { signal }) => board.show(id, signal),
  }
}

class SubtaskBoard {
  readonly #machine: Machine
  readonly #taskId: TaskId | undefined
  readonly #mode: () => PermissionMode

  constructor(machine: Machine, taskId: TaskId | undefined, mode: () => PermissionMode) {
    this.#machine = machine
    this.#taskId = taskId
    this.#mode = mode
  }

  async add({ text, agentId, author }: SubtaskDraft, signal: AbortSignal): Promise<TaskView> {
    const title = cleanTitle(text)
    if (title === '') throw new PipeError('invalid', 'a task needs a text: what to do')
    const { addTask } = await import('../../../tasks/task-change.ts')
    const refs = mentions(text).flatMap((word) => parseReference(word) ?? [])
    return this.#with(async (store) => {
      await store.ensureSchema({ signal })
      const draft: TaskDraft = {
        authorActorId: author,
        title,
        intent: text,
        agentId,
        priority: 'normal',
        ...(refs.length === 0 ? {} : { artifactRefs: refs }),
        options: await this.#options(store, signal),
      }
      return addTask(draft, { store, newId: this.#machine.newId, signal })
    })
  }

  async #options(store: EventStore, signal: AbortSignal): Promise<TaskOptions> {
    const mode = this.#mode()
    if (this.#taskId === undefined) {
      const { taskOrigin } = await import('./task-origin.ts')
      return { ...(await taskOrigin(this.#machine, signal)), mode }
    }
    const { requireTask } = await import('../../../tasks/stored-task.ts')
    const { task } = await requireTask(this.#taskId, { store, signal })
    const { repo, base, folder, limits } = task.options ?? {}
    return { ...omitUndefined({ repo, base, folder, limits }), mode, parentTaskId: task.taskId }
  }

  async list(signal: AbortSignal): Promise<readonly TaskView[]> {
    const tasks = (await this.#read(signal)).all()
    return tasks.filter((task) =>
      this.#taskId === undefined ? !isOver(task) : task.parentTaskId === this.#taskId,
    )
  }

  async show(id: string, signal: AbortSignal): Promise<TaskView> {
    return (await this.#read(signal)).find(id)
  }

  async #read(signal: AbortSignal) {
    const { readBoard } = await import('./read-board.ts')
    return this.#with((store) => readBoard(store, signal))
  }

  async #with<Result>(work: (store: EventStore) => Promise<Result>): Promise<Result> {
    const { withTasks } = await import('./open-tasks.ts')
    return withTasks(this.#machine, work)
  }
}
