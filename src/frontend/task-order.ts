import { type TaskStatus, type TaskView, taskPriorities } from '../task.ts'

/** Position of a status on the board, and its name in counts. */
const places: Readonly<Record<TaskStatus, { readonly group: number; readonly name: string }>> = {
  awaiting_user: { group: 0, name: 'asking' },
  in_progress: { group: 1, name: 'running' },
  open: { group: 2, name: 'open' },
  done: { group: 3, name: 'done' },
  failed: { group: 3, name: 'failed' },
  canceled: { group: 3, name: 'canceled' },
}

/** Orders tasks by what they need: an answer, then those in progress, open ones by priority and age, and those that are over. */
export function byNeed(tasks: Iterable<TaskView>): readonly TaskView[] {
  return [...tasks].sort(
    (a, b) =>
      places[a.status].group - places[b.status].group || withinGroup[places[a.status].group]?.(a, b) || 0,
  )
}

const oldestChange = (a: TaskView, b: TaskView): number => compareTimes(a.updatedAt, b.updatedAt)

/** Compares tasks of one group. */
const withinGroup: readonly ((a: TaskView, b: TaskView) => number)[] = [
  oldestChange,
  oldestChange,
  (a, b) =>
    taskPriorities.indexOf(a.priority) - taskPriorities.indexOf(b.priority) ||
    compareTimes(a.createdAt, b.createdAt),
  (a, b) => oldestChange(b, a),
]

/** ISO 8601 timestamps in UTC sort as text. */
function compareTimes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Counts tasks in words: `1 asking · 2 open`. */
export function countTasks(tasks: Iterable<TaskView>): string {
  const counts = new Map<TaskStatus, number>()
  for (const { status } of tasks) counts.set(status, (counts.get(status) ?? 0) + 1)
  const statuses = [...counts.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return statuses.map((status) => `${counts.get(status)} ${places[status].name}`).join(' · ')
}

const order = Object.keys(places)
