import { hasCode, unreachable } from '../error.ts'
import type { StoredEvent } from '../event-store.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { TaskEvent, TaskStatus, TaskView } from '../task.ts'
import { attemptOf, nextStatus } from './transition.ts'

/**
 * Returns a task after an event of its stream; `undefined` for a task that does not exist. An event that the task has seen changes
 * nothing, and one that cannot happen to it only counts.
 */
export function reduceTask(task: TaskView | undefined, event: StoredEvent): TaskView | undefined {
  if (task !== undefined && event.seq <= task.seq) return task
  const status = statusAfter(task, event)
  const { seq, createdAt: updatedAt } = event
  if (event.type === 'task_created') return status === undefined ? task && { ...task, seq } : created(event)
  if (task === undefined) return undefined
  return status === undefined ? { ...task, seq } : { ...changed(task, event), status, seq, updatedAt }
}

function statusAfter(task: TaskView | undefined, event: TaskEvent): TaskStatus | undefined {
  try {
    return nextStatus(task, event)
  } catch (error) {
    // The store takes events of other programs too, which may not have checked them.
    if (hasCode(error, 'conflict')) return undefined
    throw error
  }
}

type Created = Extract<StoredEvent, { readonly type: 'task_created' }>

function created({ payload, seq, createdAt }: Created): TaskView {
  const { taskId, title, intent, authorActorId: createdBy, agentId, priority, artifactRefs } = payload
  const { parentTaskId, ...options } = payload.options ?? {}
  return {
    taskId,
    title,
    intent,
    createdBy,
    agentId,
    priority,
    status: 'open',
    ...omitUndefined({ artifactRefs, parentTaskId }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    seq,
    createdAt,
    updatedAt: createdAt,
  }
}

/** Returns a task with the facts of an event, except its status and number. */
function changed(task: TaskView, event: Exclude<TaskEvent, { readonly type: 'task_created' }>): TaskView {
  const { pendingInteractionId: _, ...settled } = task
  switch (event.type) {
    case 'task_started': {
      const { agentId, options } = event.payload
      const { sessionId, worker, folder: workFolder } = options ?? {}
      const place = omitUndefined({ sessionId, worker, workFolder })
      return { ...settled, agentId, attempt: attemptOf(task, event), ...place }
    }
    case 'user_interaction_requested': {
      const { interactionId } = event.payload
      return { ...task, pendingInteractionId: interactionId, lastInteractionId: interactionId }
    }
    case 'user_interaction_responded':
      return settled
    case 'task_completed':
      return { ...settled, ...omitUndefined({ summary: event.payload.summary }) }
    case 'task_failed': {
      const { reason, options } = event.payload
      return { ...settled, reason, ...omitUndefined({ code: options?.code }) }
    }
    case 'task_canceled':
      return { ...settled, ...omitUndefined({ reason: event.payload.reason }) }
    default:
      return unreachable(event)
  }
}
