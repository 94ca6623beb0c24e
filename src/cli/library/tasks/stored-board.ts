import { type ActorId, localUser, ownAgent } from '../../../actor.ts'
import { PipeError } from '../../../error.ts'
import type { EventStore } from '../../../event-store.ts'
import { cleanTitle } from '../../../history/title-text.ts'
import type { TaskId } from '../../../id.ts'
import type { InteractionResponse } from '../../../interaction.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { ArtifactRef, TaskOptions, TaskPriority, TaskView } from '../../../task.ts'
import { requireTask, type StoredTask } from '../../../tasks/stored-task.ts'
import { addTask, answerTask, cancelTask, retryTask } from '../../../tasks/task-change.ts'
import { systemIds } from '../../host.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'

/** A task to add. */
export interface NewTask {
  /** The whole text of the task. */
  readonly intent: string
  /** Default: the first words of the intent. */
  readonly title?: string
  /** The agent that is to work on it: `agent_` and the name of an agent definition. Default: `agent_pipe`, the usual one. */
  readonly agentId?: ActorId
  /** Default: `normal`. */
  readonly priority?: TaskPriority
  /** Files, sections, assets and sources that it is about. Default: none. */
  readonly artifactRefs?: readonly ArtifactRef[]
  /** The model, the limits, the task that must be done first … Default: none. */
  readonly options?: TaskOptions
}

/** Names the actor. Default: the user at this machine, `user_local`. */
interface Acting {
  readonly author?: ActorId
  readonly signal?: AbortSignal
}

/**
 * The tasks of an event store. Each method reads the store, so that all processes see the same. They throw what the store throws; changes
 * throw `conflict` if the task is not as it would have to be.
 */
export interface StoredBoard {
  /** Adds a task; a text is its intent. Throws `input` for one without words, `conflict` if a task that it names does not exist. */
  add(task: string | NewTask, options?: Acting): Promise<TaskView>
  /** Returns all tasks, the oldest first. */
  all(options?: Pick<Acting, 'signal'>): Promise<readonly TaskView[]>
  /** Finds a task by its id, or a beginning of at least 4 characters that no other has, with its open question. Throws `input`. */
  get(id: string, options?: Pick<Acting, 'signal'>): Promise<StoredTask>
  /** Answers the open question of a task: `answeredBy` may be left out. Throws `invalid` if the answer does not fit. */
  answer(
    id: TaskId,
    answer: Omit<InteractionResponse, 'answeredBy' | 'interactionId'>,
    options?: Acting,
  ): Promise<TaskView>
  /** Cancels a task that is not over. The worker that has it stops. */
  cancel(id: TaskId, options?: Acting & { readonly reason?: string }): Promise<TaskView>
  /** Adds a task like one that failed or was canceled. */
  retry(id: TaskId, options?: Acting): Promise<TaskView>
}

/** Returns the tasks of any event store, also one of your own. */
export function openBoard(events: EventStore): StoredBoard {
  return new EventTasks(events)
}

function unending(): AbortSignal {
  return new AbortController().signal
}

class EventTasks implements StoredBoard {
  readonly #store: EventStore

  constructor(store: EventStore) {
    this.#store = store
  }

  async add(
    task: string | NewTask,
    { author = localUser, signal = unending() }: Acting = {},
  ): Promise<TaskView> {
    const given = typeof task === 'string' ? { intent: task } : task
    const { intent, priority = 'normal', agentId = ownAgent, artifactRefs, options } = given
    const title = cleanTitle(given.title ?? intent)
    if (title === '') throw new PipeError('input', 'a task needs a text: what to do')
    const draft = { title, intent, priority, agentId, authorActorId: author }
    await this.#store.ensureSchema({ signal })
    return addTask({ ...draft, ...omitUndefined({ artifactRefs, options }) }, this.#changing(signal))
  }

  async all({ signal = unending() }: Pick<Acting, 'signal'> = {}): Promise<readonly TaskView[]> {
    return (await readBoard(this.#store, signal)).all()
  }

  async get(id: string, { signal = unending() }: Pick<Acting, 'signal'> = {}): Promise<StoredTask> {
    const { taskId } = (await readBoard(this.#store, signal)).find(id)
    return requireTask(taskId, { store: this.#store, signal })
  }

  async answer(
    id: TaskId,
    answer: Omit<InteractionResponse, 'answeredBy' | 'interactionId'>,
    { author = localUser, signal = unending() }: Acting = {},
  ): Promise<TaskView> {
    const { question, task } = await requireTask(id, { store: this.#store, signal })
    if (question === undefined)
      throw new PipeError('conflict', `task ${id} has no open question: it is ${task.status}`)
    const response = { ...answer, interactionId: question.id, answeredBy: author }
    return answerTask(id, response, this.#changing(signal))
  }

  cancel(
    id: TaskId,
    { author = localUser, reason, signal = unending() }: Acting & { readonly reason?: string } = {},
  ): Promise<TaskView> {
    return cancelTask(id, { author, ...omitUndefined({ reason }) }, this.#changing(signal))
  }

  retry(id: TaskId, { author = localUser, signal = unending() }: Acting = {}): Promise<TaskView> {
    return retryTask(id, { author }, this.#changing(signal))
  }

  #changing(signal: AbortSignal) {
    return { store: this.#store, newId: systemIds(), signal }
  }
}
