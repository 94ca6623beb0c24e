import { isOver, type SchedulerPolicy, type TaskView, taskPriorities } from '../task.ts'

/** Returns the tasks that are open or in progress: by priority, then by creation time. */
export const defaultSchedulerPolicy: SchedulerPolicy = (tasks) =>
  tasks
    .filter(({ status }) => status === 'open' || status === 'in_progress')
    .toSorted(
      (a, b) =>
        taskPriorities.indexOf(a.priority) - taskPriorities.indexOf(b.priority) ||
        Date.parse(a.createdAt) - Date.parse(b.createdAt),
    )

/** Returns the tasks of all these that a worker may take, in the default order: no open one whose predecessor is not done. */
export const readyTasks: SchedulerPolicy = (tasks) => {
  const byId = new Map(tasks.map((task) => [task.taskId, task]))
  const find: FindTask = (id) => byId.get(id)
  return defaultSchedulerPolicy(tasks).filter((task) => task.status !== 'open' || isFree(task, find))
}

/** Finds a task by its id. */
export type FindTask = (id: TaskView['taskId']) => TaskView | undefined

/** Whether a task follows none, or one that is done. */
function isFree({ options }: TaskView, find: FindTask): boolean {
  return options?.after === undefined || find(options.after)?.status === 'done'
}

/**
 * Whether an open task will never be taken, because one that it follows, directly or through others, failed, was canceled or does not
 * exist.
 */
export function isBlocked(task: TaskView, find: FindTask): boolean {
  const seen = new Set([task.taskId])
  for (let at: TaskView | undefined = task; at?.status === 'open'; ) {
    const after: TaskView['taskId'] | undefined = at.options?.after
    if (after === undefined) return false
    at = seen.has(after) ? undefined : find(after)
    if (at === undefined) return true
    seen.add(after)
    if (at.status !== 'done' && isOver(at)) return true
  }
  return false
}
