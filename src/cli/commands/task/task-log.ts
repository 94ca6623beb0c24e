import { oneLine } from '../../../characters/one-line.ts'
import { secondOf } from '../../../characters/shown-time.ts'
import { unreachable } from '../../../error.ts'
import type { EventStore, StoredEvent } from '../../../event-store.ts'
import type { TaskId } from '../../../id.ts'
import { isOver, type TaskView } from '../../../task.ts'
import { reduceTask } from '../../../tasks/reducer.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { encodeStoredEvent } from '../../../wire/task-json.ts'
import type { RunContext } from '../../run-context.ts'
import { withTasks } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'

/** Characters of what a line says about its event. */
const width = 160

/** Prints the events of a task, a line each. With `--follow` also those to come, until the task is over. Throws `input`. */
export async function showLog(id: string, { host, flags, signal }: RunContext): Promise<void> {
  const format = flags.format === 'json' ? jsonLine : textLine
  await withTasks(host, async (store) => {
    const { taskId } = (await readBoard(store, signal)).find(id)
    const events = flags.has('follow') ? follow(store, taskId, signal) : store.readStream(taskId, { signal })
    for await (const event of events) host.stdout.write(format(event))
  })
}

async function* follow(
  store: EventStore,
  taskId: TaskId,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent, undefined, undefined> {
  let task: TaskView | undefined
  for await (const event of store.watch({ signal })) {
    if (event.streamId !== taskId) continue
    yield event
    task = reduceTask(task, event)
    if (task !== undefined && isOver(task)) return
  }
}

function jsonLine(event: StoredEvent): string {
  return `${printableJson(encodeStoredEvent(event))}\n`
}

function textLine(event: StoredEvent): string {
  const time = secondOf(event.createdAt)
  const { authorActorId } = event.payload
  const line = `${time}  ${event.type.padEnd(26)}  ${authorActorId}  ${describe(event)}`
  return `${printable(line).trimEnd()}\n`
}

function describe(event: StoredEvent): string {
  return oneLine(factOf(event), width)
}

/** Returns what tells most about an event: a title, a reason, an answer. */
export function factOf(event: StoredEvent): string {
  switch (event.type) {
    case 'task_created':
      return event.payload.title
    case 'task_started': {
      const { agentId, options } = event.payload
      return options?.handedBack === true ? 'handed back' : (options?.worker ?? agentId)
    }
    case 'task_completed':
      return event.payload.summary ?? ''
    case 'task_failed':
      return event.payload.reason
    case 'task_canceled':
      return event.payload.reason ?? ''
    case 'user_interaction_requested':
      return event.payload.display.title
    case 'user_interaction_responded': {
      const { selectedOptionId, inputValue, comment } = event.payload
      return [selectedOptionId, inputValue, comment].filter((text) => text !== undefined).join(': ')
    }
    default:
      return unreachable(event)
  }
}
