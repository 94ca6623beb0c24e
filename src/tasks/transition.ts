import { PipeError } from '../error.ts'
import type { TaskEvent, TaskEventType, TaskStatus, TaskView } from '../task.ts'

type Statuses = Readonly<Partial<Record<TaskStatus, TaskStatus>>>

/** The status after an event, by the status before it. Other pairs are refused. */
const next: Readonly<Record<Exclude<TaskEventType, 'task_created'>, Statuses>> = {
  // A task in progress is started again when another worker takes it over.
  task_started: { open: 'in_progress', in_progress: 'in_progress' },
  user_interaction_requested: { in_progress: 'awaiting_user' },
  user_interaction_responded: { awaiting_user: 'in_progress' },
  task_completed: { in_progress: 'done' },
  task_failed: { open: 'failed', in_progress: 'failed', awaiting_user: 'failed' },
  task_canceled: { open: 'canceled', in_progress: 'canceled', awaiting_user: 'canceled' },
}

/**
 * Returns the status of a task after an event. Throws `conflict` with `details.task_id`, `details.event` and `details.from` if the event
 * cannot happen to the task as it is; `undefined` stands for a task that does not exist yet.
 */
export function nextStatus(task: TaskView | undefined, event: TaskEvent): TaskStatus {
  if (event.type === 'task_created') {
    if (task !== undefined) throw refused(task, event, 'it already exists')
    return 'open'
  }
  if (task === undefined) throw refused(task, event, 'there is no such task')
  const status = next[event.type][task.status]
  if (status === undefined) throw refused(task, event, `it is ${task.status}`)
  const wrong = mismatch(task, event)
  if (wrong !== undefined) throw refused(task, event, wrong)
  return status
}

/** Returns what keeps an event of an allowed type from happening. */
function mismatch(task: TaskView, event: TaskEvent): string | undefined {
  if (event.type === 'task_started') {
    const attempt = attemptOf(task, event)
    const expected = attemptsOf(task) + 1
    return attempt === expected ? undefined : `its next attempt is number ${expected}, not ${attempt}`
  }
  if (event.type === 'user_interaction_responded') {
    const { interactionId } = event.payload
    return interactionId === task.pendingInteractionId
      ? undefined
      : `it waits for an answer to ${task.pendingInteractionId}, not to ${interactionId}`
  }
  return undefined
}

/** Returns the number of the attempt that an event starts. */
export function attemptOf(
  task: Pick<TaskView, 'attempt'>,
  { payload }: Extract<TaskEvent, { readonly type: 'task_started' }>,
): number {
  return payload.options?.attempt ?? attemptsOf(task) + 1
}

function attemptsOf({ attempt = 0 }: Pick<TaskView, 'attempt'>): number {
  return attempt
}

const verbs: Readonly<Record<TaskEventType, string>> = {
  task_created: 'be created',
  task_started: 'start',
  user_interaction_requested: 'ask',
  user_interaction_responded: 'be answered',
  task_completed: 'be done',
  task_failed: 'fail',
  task_canceled: 'be canceled',
}

function refused(task: TaskView | undefined, { type, payload }: TaskEvent, why: string): PipeError {
  const { taskId } = payload
  return new PipeError('conflict', `task ${taskId} cannot ${verbs[type]}: ${why}`, {
    details: { task_id: taskId, event: type, ...(task === undefined ? {} : { from: task.status }) },
  })
}
