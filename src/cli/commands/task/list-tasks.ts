import { oneLine } from '../../../characters/one-line.ts'
import { minuteOf } from '../../../characters/shown-time.ts'
import { byNeed } from '../../../frontend/task-order.ts'
import { namedLength } from '../../../history/title-text.ts'
import type { TaskView } from '../../../task.ts'
import { type FindTask, isBlocked } from '../../../tasks/scheduler-policy.ts'
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
  const tasks = byNeed(board.all())
  if (flags.format === 'json') {
    const list = new JsonList(host.stdout, 'tasks')
    for (const task of tasks) list.add(encodeTaskView(task))
    return list.end()
  }
  host.stdout.write(tasks.map((task) => `${row(task, (id) => board.get(id))}\n`).join(''))
  if (tasks.length === 0 && host.stderr.isTerminal)
    printWarning(host, 'no tasks yet; pipe task add "…" adds one')
}

function row(task: TaskView, find: FindTask): string {
  const { taskId, updatedAt, priority, title } = task
  const status = isBlocked(task, find) ? 'blocked' : task.status
  const time = minuteOf(updatedAt)
  return `${taskId}  ${time}  ${status.padEnd(13)}  ${priority.padEnd(10)}  ${oneLine(printable(title), namedLength)}`
}
