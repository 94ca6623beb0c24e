import { oneLine } from '../../../characters/one-line.ts'
import { minuteOf } from '../../../characters/shown-time.ts'
import { namedLength } from '../../../history/title-text.ts'
import { isOver, type TaskView } from '../../../task.ts'
import { defaultSchedulerPolicy, type FindTask, isBlocked } from '../../../tasks/scheduler-policy.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { encodeTaskView } from '../../../wire/task-json.ts'
import type { RunContext } from '../../run-context.ts'
import { withTasks } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'
import { JsonList } from '../json-list.ts'

/** Prints the board: one line per task, or one JSON document. */
export async function listTasks({ host, flags, signal }: RunContext): Promise<void> {
  const board = await withTasks(host, (store) => readBoard(store, signal))
  const tasks = inOrder(board.all())
  if (flags.format === 'json') {
    const list = new JsonList(host.stdout, 'tasks')
    for (const task of tasks) list.add(encodeTaskView(task))
    return list.end()
  }
  host.stdout.write(tasks.map((task) => `${row(task, (id) => board.get(id))}\n`).join(''))
  if (tasks.length === 0 && host.stderr.isTerminal)
    printWarning(host, 'no tasks yet; pipe task add "…" adds one')
}

/** Orders tasks by what they need: an answer, then work, then nothing, the newest of these first. */
function inOrder(tasks: readonly TaskView[]): readonly TaskView[] {
  const waiting = tasks.filter(({ status }) => status === 'awaiting_user')
  const over = tasks.filter(isOver).toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  return [...waiting, ...defaultSchedulerPolicy(tasks), ...over]
}

function row(task: TaskView, find: FindTask): string {
  const { taskId, updatedAt, priority, title } = task
  const status = isBlocked(task, find) ? 'blocked' : task.status
  const time = minuteOf(updatedAt)
  return `${taskId}  ${time}  ${status.padEnd(13)}  ${priority.padEnd(10)}  ${oneLine(printable(title), namedLength)}`
}
