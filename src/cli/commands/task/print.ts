import type { TaskView } from '../../../task.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { encodeTaskView } from '../../../wire/task-json.ts'
import type { RunContext } from '../../run-context.ts'

/** Prints the id of a task, or its view as one line of JSON. */
export function printId(task: TaskView, { host, flags }: RunContext): void {
  host.stdout.write(flags.format === 'json' ? viewLine(task) : `${task.taskId}\n`)
}

/** Formats a task as one line of JSON. */
export function viewLine(task: TaskView): string {
  return `${printableJson(encodeTaskView(task))}\n`
}
