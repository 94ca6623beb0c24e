import type { TaskView } from '../../../task.ts'
import type { TaskBoard } from '../../../tasks/board.ts'
import { formatReference } from '../../../tasks/reference.ts'
import { printable } from '../../../terminal/printable.ts'
import type { RunContext } from '../../run-context.ts'
import { readBoard, withTasks } from '../../wiring/tasks.ts'
import { viewLine } from './print.ts'

/** Prints one task: its facts, a line each, and its text; or its view as one line of JSON. Throws `input`. */
export async function showTask(id: string, { host, flags, signal }: RunContext): Promise<void> {
  const board = await withTasks(host, (store) => readBoard(store, signal))
  const task = board.find(id)
  if (flags.format === 'json') return host.stdout.write(viewLine(task))
  const facts = factsOf(task, board).map(([name, value]) => `${name.padEnd(9)} ${printable(value)}\n`)
  host.stdout.write(`${facts.join('')}\n${printable(task.intent)}\n`)
}

/** Lists the facts of a task in the order in which they are shown. */
export function factsOf(
  task: TaskView,
  board: TaskBoard,
): readonly (readonly [name: string, value: string])[] {
  const { options = {}, artifactRefs = [], childTaskIds = [] } = task
  const { after, retryOf, repo } = options
  const facts = {
    id: task.taskId,
    title: task.title,
    status: task.status,
    reason: task.reason,
    summary: task.summary,
    priority: task.priority,
    agent: task.agentId,
    attempt: task.attempt === undefined ? undefined : String(task.attempt),
    worker: task.worker,
    session: task.sessionId,
    created: `${timeOf(task.createdAt)} by ${task.createdBy}`,
    updated: timeOf(task.updatedAt),
    folder: repo,
    refs: artifactRefs.length === 0 ? undefined : artifactRefs.map(formatReference).join(', '),
    after: after && `${after} (${board.get(after)?.status ?? 'unknown'})`,
    retries: retryOf,
    parent: task.parentTaskId,
    children: childTaskIds.length === 0 ? undefined : childTaskIds.join(', '),
  }
  return Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.replace(/\s+/g, ' ')]],
  )
}

function timeOf(timestamp: string): string {
  return timestamp.slice(0, 19).replace('T', ' ')
}
