import { PipeError } from '../error.ts'
import type { EventStore, StoredEvent } from '../event-store.ts'
import type { TaskId } from '../id.ts'
import type { Interaction } from '../interaction.ts'
import type { TaskView } from '../task.ts'
import { reduceTask } from './reducer.ts'

/** The store to read from. */
export interface TaskReading {
  readonly store: EventStore
  readonly signal: AbortSignal
}

/** A task, and the question that it waits for an answer to. */
export interface StoredTask {
  readonly task: TaskView
  readonly question?: Interaction
}

/** Reads a task from its events; `undefined` if it does not exist. */
export async function readTask(
  taskId: TaskId,
  { store, signal }: TaskReading,
): Promise<StoredTask | undefined> {
  let task: TaskView | undefined
  let question: Interaction | undefined
  for await (const event of store.readStream(taskId, { signal })) {
    task = reduceTask(task, event)
    if (event.type === 'user_interaction_requested' && isPending(event, task)) question = questionOf(event)
  }
  if (task === undefined) return undefined
  return question?.id === task.pendingInteractionId && question !== undefined ? { task, question } : { task }
}

/** Reads a task. Throws `conflict` if it does not exist. */
export async function requireTask(taskId: TaskId, reading: TaskReading): Promise<StoredTask> {
  const stored = await readTask(taskId, reading)
  if (stored !== undefined) return stored
  throw new PipeError('conflict', `there is no task ${taskId}`, { details: { task_id: taskId } })
}

type Asked = Extract<StoredEvent, { readonly type: 'user_interaction_requested' }>

function isPending({ payload }: Asked, task: TaskView | undefined): boolean {
  return task?.pendingInteractionId === payload.interactionId
}

function questionOf({ payload }: Asked): Interaction {
  const { interactionId: id, taskId: _, authorActorId: __, ...question } = payload
  return { id, ...question }
}
