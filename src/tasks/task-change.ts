import { hasCode, PipeError } from '../error.ts'
import type { NewId, TaskId } from '../id.ts'
import { type InteractionResponse, validateResponse } from '../interaction.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { TaskEvent, TaskView } from '../task.ts'
import { reduceTask } from './reducer.ts'
import { readTask, requireTask, type StoredTask, type TaskReading } from './stored-task.ts'
import { nextStatus } from './transition.ts'

type Created = Extract<TaskEvent, { readonly type: 'task_created' }>['payload']

/** A new task, before it has an id. */
export type TaskDraft = Omit<Created, 'taskId'>

/** Creates a task, under its own id if the draft has one. Throws `conflict` if the task that it follows, repeats or belongs to does not exist. */
export async function addTask(
  draft: TaskDraft & { readonly taskId?: TaskId },
  { newId, ...changing }: TaskReading & { readonly newId: Pick<NewId, 'task'> },
): Promise<TaskView> {
  const { after, retryOf, parentTaskId } = draft.options ?? {}
  for (const id of [after, retryOf, parentTaskId]) if (id !== undefined) await requireTask(id, changing)
  const taskId = draft.taskId ?? newId.task()
  return changeTask(taskId, () => ({ type: 'task_created', payload: { ...draft, taskId } }), changing)
}

/** Cancels a task that is not over. Throws `conflict`. */
export function cancelTask(
  taskId: TaskId,
  { author, reason }: { readonly author: string; readonly reason?: string },
  changing: TaskReading,
): Promise<TaskView> {
  const payload = { taskId, authorActorId: author, ...(reason === undefined ? {} : { reason }) }
  return changeTask(taskId, () => ({ type: 'task_canceled', payload }), changing)
}

/** Creates a task like a failed or canceled one, which stays as it is. Throws `conflict` for any other. */
export async function retryTask(
  taskId: TaskId,
  { author }: { readonly author: string },
  changing: TaskReading & { readonly newId: Pick<NewId, 'task'> },
): Promise<TaskView> {
  const { task } = await requireTask(taskId, changing)
  const { title, intent, priority, agentId, artifactRefs, options, parentTaskId, status } = task
  if (status !== 'failed' && status !== 'canceled')
    throw new PipeError(
      'conflict',
      `task ${taskId} is ${status}; only a failed or canceled task is retried`,
      {
        details: { task_id: taskId, from: status },
      },
    )
  const draft = {
    title,
    intent,
    priority,
    agentId,
    authorActorId: author,
    ...(artifactRefs === undefined ? {} : { artifactRefs }),
    options: { ...options, ...(parentTaskId === undefined ? {} : { parentTaskId }), retryOf: taskId },
  }
  return addTask(draft, changing)
}

/**
 * Answers the question that a task waits for, in the name of `answeredBy`. Throws `conflict` if it waits for no answer to this question,
 * and `invalid` if the answer does not fit.
 */
export function answerTask(
  taskId: TaskId,
  response: InteractionResponse,
  changing: TaskReading,
): Promise<TaskView> {
  const { interactionId, answeredBy, selectedOptionId, inputValue, comment, parts, cancelled } = response
  if (cancelled === true) throw new PipeError('invalid', 'a question that was left has no answer')
  const answer = omitUndefined({ selectedOptionId, inputValue, comment, parts })
  const payload = { taskId, authorActorId: answeredBy, interactionId, ...answer }
  return changeTask(
    taskId,
    (stored) => {
      if (stored?.question?.id === interactionId) validateResponse(stored.question, response)
      return { type: 'user_interaction_responded', payload }
    },
    changing,
  )
}

/** Times that a change is made anew because another process changed the task meanwhile. */
const maxTries = 5

/** Appends the event that `make` returns for the task as it is. Throws `conflict` for an event that cannot happen to it. */
async function changeTask(
  taskId: TaskId,
  make: (stored: StoredTask | undefined) => TaskEvent,
  changing: TaskReading,
): Promise<TaskView> {
  for (let tries = 1; ; tries++) {
    const stored = await readTask(taskId, changing)
    const event = make(stored)
    nextStatus(stored?.task, event)
    try {
      return await append(stored?.task, event, changing)
    } catch (error) {
      if (!isOvertaken(error) || tries === maxTries) throw error
    }
  }
}

function isOvertaken(error: unknown): boolean {
  return hasCode(error, 'conflict') && error.details['actual_seq'] !== undefined
}

async function append(
  task: TaskView | undefined,
  event: TaskEvent,
  { store, signal }: TaskReading,
): Promise<TaskView> {
  const { taskId } = event.payload
  const [stored] = await store.append(taskId, [event], { expectedSeq: task?.seq ?? 0, signal })
  const changed = stored === undefined ? undefined : reduceTask(task, stored)
  if (changed !== undefined) return changed
  throw new PipeError('internal', `the event store returned no event of task ${taskId}`)
}
