import { type SchedulerPolicy, taskPriorities } from '../task.ts'

/** Returns the tasks that are open or in progress: by priority, then by creation time. */
export const defaultSchedulerPolicy: SchedulerPolicy = (tasks) =>
  tasks
    .filter(({ status }) => status === 'open' || status === 'in_progress')
    .toSorted(
      (a, b) =>
        taskPriorities.indexOf(a.priority) - taskPriorities.indexOf(b.priority) ||
        Date.parse(a.createdAt) - Date.parse(b.createdAt),
    )
