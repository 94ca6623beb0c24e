import { PipeError } from '../error.ts'
import type { SavedProjection, StoredEvent } from '../event-store.ts'
import type { TaskId } from '../id.ts'
import type { TaskView } from '../task.ts'
import { reduceTask } from './reducer.ts'

/** All tasks, folded from the events of a store. Takes events in the order of their ids and ignores those that it has seen. */
export class TaskBoard {
  readonly #tasks: Map<string, TaskView>
  #cursor: number

  /** Begins with what was folded before, the oldest task first. Default: nothing. */
  constructor(
    { cursorEventId, state }: SavedProjection<readonly TaskView[]> = { cursorEventId: 0, state: [] },
  ) {
    this.#tasks = new Map(state.map((task) => [task.taskId, task]))
    this.#cursor = cursorEventId
  }

  /** Id of the last event; 0 before the first. */
  get cursor(): number {
    return this.#cursor
  }

  apply(event: StoredEvent): void {
    if (event.id <= this.#cursor) return
    this.#cursor = event.id
    const before = this.#tasks.get(event.streamId)
    const task = reduceTask(before, event)
    if (task === undefined) return
    this.#tasks.set(event.streamId, task)
    if (before === undefined) this.#nameChild(task)
  }

  /** Returns all tasks, the oldest first. */
  all(): readonly TaskView[] {
    return [...this.#tasks.values()]
  }

  get(id: TaskId): TaskView | undefined {
    return this.#tasks.get(id)
  }

  /** Finds a task by its id, or by a beginning of at least 4 characters that no other id has. Throws `input`. */
  find(text: string): TaskView {
    const exact = this.#tasks.get(text)
    if (exact !== undefined) return exact
    const matches = text.length < least ? [] : this.all().filter(({ taskId }) => taskId.startsWith(text))
    const [only, second] = matches
    if (only === undefined) {
      const fault =
        text.length < least ? `give ${least} or more characters of the id` : 'pipe task lists them'
      throw new PipeError('input', `there is no task ${JSON.stringify(text)}; ${fault}`)
    }
    if (second === undefined) return only
    const ids = matches.slice(0, 5).map(({ taskId }) => taskId)
    throw new PipeError('input', `several tasks begin with ${text}: ${ids.join(', ')}`)
  }

  #nameChild({ taskId, parentTaskId }: TaskView): void {
    const parent = parentTaskId === undefined ? undefined : this.#tasks.get(parentTaskId)
    if (parent === undefined) return
    const childTaskIds = [...(parent.childTaskIds ?? []), taskId]
    this.#tasks.set(parent.taskId, { ...parent, childTaskIds })
  }
}

/** Characters of an id's beginning, at least. */
const least = 4
