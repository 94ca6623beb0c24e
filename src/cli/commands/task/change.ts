import type { TaskView } from '../../../task.ts'
import { cancelTask, retryTask } from '../../../tasks/task-change.ts'
import { printable } from '../../../terminal/printable.ts'
import type { RunContext } from '../../run-context.ts'
import { openTaskAuthor, openUser } from '../../wiring/run-actors.ts'
import { withTasks } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'
import { openWorktrees, sweepWorktrees } from '../../wiring/tasks/task-worktrees.ts'
import { withCommands } from '../../wiring/with-commands.ts'
import { printId, viewLine } from './print.ts'

/** Cancels a task. Throws `input`, and `conflict` if it is over. */
export async function cancel(id: string, reason: string, { host, flags, signal }: RunContext): Promise<void> {
  const { id: author } = await openUser(host)
  const task = await withTasks(host, async (store) => {
    const { taskId } = (await readBoard(store, signal)).find(id)
    const given = { author, ...(reason === '' ? {} : { reason }) }
    return cancelTask(taskId, given, { store, signal })
  })
  await removeLeftFolder(task, { host, signal })
  const line = `canceled: ${task.taskId}  ${printable(task.title)}\n`
  host.stdout.write(flags.format === 'json' ? viewLine(task) : line)
}

/** Removes the folder of a worker that was killed at a task, once its changes are saved. A worker that runs does so itself. */
async function removeLeftFolder(
  { taskId }: TaskView,
  { host, signal }: Pick<RunContext, 'host' | 'signal'>,
): Promise<void> {
  await withCommands(host, async (commands) => {
    const worktrees = await openWorktrees(host, 'tasks', commands)
    await sweepWorktrees(worktrees, host, { signal, isOver: (id) => id === taskId })
  })
}

/** Puts a failed or canceled task on the board again and prints the id of the new one. Throws `input`, `conflict`. */
export async function retry(id: string, context: RunContext): Promise<void> {
  const { host, signal } = context
  const { id: author } = await openTaskAuthor(host)
  const task = await withTasks(host, async (store) => {
    const { taskId } = (await readBoard(store, signal)).find(id)
    return retryTask(taskId, { author }, { store, newId: host.newId, signal })
  })
  printId(task, context)
}
