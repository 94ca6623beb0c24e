import type { EventStore } from '../../../event-store.ts'
import type { TaskId } from '../../../id.ts'
import { isOver, type TaskView } from '../../../task.ts'
import type { TaskBoard } from '../../../tasks/board.ts'
import { isBlocked } from '../../../tasks/scheduler-policy.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import type { RunContext } from '../../run-context.ts'
import { withTasks } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'
import { viewLine } from './print.ts'

/**
 * Waits until tasks are over, or can never be carried out. Prints what came of each: the summary of a completed one, or all as lines of
 * JSON. Returns the exit code of the first task named here that is not done. Throws `input`.
 */
export async function waitForTasks(ids: readonly string[], context: RunContext): Promise<number> {
  const { host, signal } = context
  const tasks = await withTasks(host, async (store) => {
    const board = await readBoard(store, signal)
    const wanted = [...new Set(ids.map((id) => board.find(id).taskId))]
    await watch(wanted, board, store, context)
    return wanted.flatMap((taskId) => board.get(taskId) ?? [])
  })
  return tasks.map(codeOf).find((code) => code !== 0) ?? 0
}

/** Reports each task once it is over, and each question that one asks. */
async function watch(
  wanted: readonly TaskId[],
  board: TaskBoard,
  store: EventStore,
  context: RunContext,
): Promise<void> {
  const left = new Set<string>(wanted)
  const isStuck = (task: TaskView) => isBlocked(task, (id) => board.get(id))
  const see = (task: TaskView) => {
    if (task.status === 'awaiting_user') sayThatItAsks(task, context)
    const stuck = isStuck(task)
    if (!(isOver(task) || stuck) || !left.delete(task.taskId)) return
    report(task, { ...context, isAlone: wanted.length === 1, isBlocked: stuck })
  }
  const views = () => wanted.flatMap((taskId) => (left.has(taskId) ? (board.get(taskId) ?? []) : []))
  for (const task of views()) see(task)
  if (left.size === 0) return
  for await (const event of store.watch({ signal: context.signal, after: board.cursor })) {
    board.apply(event)
    // Looks at those too that follow the task of the event.
    for (const task of views()) if (task.taskId === event.streamId || isStuck(task)) see(task)
    if (left.size === 0) return
  }
}

function sayThatItAsks({ taskId, title }: TaskView, { host }: RunContext): void {
  printWarning(host, `${title}: the task has a question; answer it with pipe task answer ${taskId}`)
}

interface Reporting extends RunContext {
  readonly isAlone: boolean
  readonly isBlocked: boolean
}

/** Writes the result to stdout, and the reason why there is none to stderr. */
function report(task: TaskView, { host, flags, isAlone, isBlocked }: Reporting): void {
  const { taskId, title, status, summary, reason, options } = task
  if (flags.format === 'json') {
    host.stdout.write(viewLine(task))
  } else if (status === 'done') {
    const heading = isAlone ? '' : `${taskId}  ${title}\n`
    host.stdout.write(printable(heading + (summary === undefined ? '' : `${summary}\n`)))
  } else if (isBlocked) {
    printWarning(host, `task ${taskId} is blocked: ${options?.after}, which it follows, will not be done`)
  } else {
    printWarning(host, `task ${taskId} ${status}${reason === undefined ? '' : `: ${reason}`}`)
  }
}

function codeOf({ status, code = 1 }: TaskView): number {
  if (status === 'done') return 0
  return status === 'canceled' ? 130 : Math.max(1, code)
}
