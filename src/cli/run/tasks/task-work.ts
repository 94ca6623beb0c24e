import { oneLine } from '../../../characters/one-line.ts'
import { PipeError } from '../../../error.ts'
import type { EventStore, StoredEvent } from '../../../event-store.ts'
import type { TaskDetails, TaskWishes } from '../../../frontend/task-actions.ts'
import type { TaskId } from '../../../id.ts'
import type { Interaction, InteractionResponse } from '../../../interaction.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { TaskEventType, TaskView } from '../../../task.ts'
import type { TaskBoard } from '../../../tasks/board.ts'
import { readTask } from '../../../tasks/stored-task.ts'
import { answerTask, cancelTask } from '../../../tasks/task-change.ts'
import { factsOf } from '../../commands/task/show.ts'
import { factOf } from '../../commands/task/task-log.ts'
import { describeConflicts, mergeWork, nothingToApply, readWork } from '../../commands/task/work.ts'
import { usageError } from '../../flags.ts'
import type { Machine } from '../../machine.ts'
import { openUser } from '../../wiring/run-actors.ts'
import { withTasks } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'
import { addOwnTask } from './task-draft.ts'

/** The machine that has the board. */
interface Working {
  readonly machine: Machine
  readonly signal: AbortSignal
}

/** Creates what an empty board needs. */
export async function makeBoard({ machine, signal }: Working): Promise<void> {
  await withTasks(machine, (store) => store.ensureSchema({ signal }))
}

/** Reads all tasks. */
export function readTasks({ machine, signal }: Working): Promise<TaskBoard> {
  return withTasks(machine, (store) => readBoard(store, signal))
}

/** Reads the events of a task from this number on. */
export function eventsFrom(
  { id, fromSeq }: { readonly id: TaskId; readonly fromSeq: number },
  { machine, signal }: Working,
): Promise<readonly StoredEvent[]> {
  return withTasks(machine, async (store) => {
    const events: StoredEvent[] = []
    for await (const event of store.readStream(id, { signal, fromSeq })) events.push(event)
    return events
  })
}

/** Puts a task on the board. Throws as `TaskActions.add` does. */
export async function addTaskHere(text: string, wishes: TaskWishes, working: Working): Promise<TaskView> {
  const task = await addOwnTask(text, wishes, working)
  if (task !== undefined) return task
  throw usageError('/task needs a text: what to do', '/help')
}

/** Events of a task that its details list, the last ones. */
const listedEvents = 20
/** Characters of what a line says about its event. */
const factLength = 200

/** Facts that the front end shows in their own place. */
const elsewhere = ['title', 'status', 'reason', 'summary', 'created', 'updated']

/** Reads what a front end shows about a task. Throws `conflict` if it does not exist. */
export async function taskDetails(
  taskId: TaskId,
  { board, machine, signal }: Working & { readonly board: TaskBoard },
): Promise<TaskDetails> {
  const task = board.get(taskId)
  if (task === undefined) throw new PipeError('conflict', `there is no task ${taskId}`)
  return withTasks(machine, async (store) => {
    const log: string[] = []
    for await (const event of store.readStream(taskId, { signal })) log.push(describe(event))
    // A status that says more than the mark of the row: the task is blocked.
    const facts = factsOf(task, board).filter(
      ([name, value]) => !elsewhere.includes(name) || (name === 'status' && value !== task.status),
    )
    return { facts, log: log.slice(-listedEvents) }
  })
}

const words: Readonly<Record<TaskEventType, string>> = {
  task_created: 'added',
  task_started: 'started',
  task_completed: 'done',
  task_failed: 'failed',
  task_canceled: 'canceled',
  user_interaction_requested: 'asks',
  user_interaction_responded: 'answered',
}

function describe(event: StoredEvent): string {
  const time = event.createdAt.slice(5, 16).replace('T', ' ')
  const fact = event.type === 'task_created' ? `by ${event.payload.authorActorId}` : factOf(event)
  return `${time}  ${words[event.type].padEnd(8)}  ${oneLine(fact, factLength)}`.trimEnd()
}

/** Reads the question that a task asks, if it asks one. */
export async function questionOf(
  taskId: TaskId,
  { machine, signal }: Working,
): Promise<Interaction | undefined> {
  const read = (store: EventStore) => readTask(taskId, { store, signal })
  return (await withTasks(machine, read))?.question
}

/** Answers the question of a task. Throws `conflict`, `invalid`. */
export async function answerIt(
  taskId: TaskId,
  response: InteractionResponse,
  { machine, signal }: Working,
): Promise<void> {
  const { id: answeredBy } = await openUser(machine)
  const parts = response.parts?.map((part) => ({ ...part, answeredBy }))
  const signed = { ...response, answeredBy, ...omitUndefined({ parts }) }
  await withTasks(machine, (store) => answerTask(taskId, signed, { store, signal }))
}

/** Cancels a task. Throws `conflict` if it is over. */
export async function cancelIt(taskId: TaskId, { machine, signal }: Working): Promise<void> {
  const { id: author } = await openUser(machine)
  await withTasks(machine, (store) => cancelTask(taskId, { author }, { store, signal }))
}

/** Returns what a task has changed, as a unified diff. Throws `input`, `not_found`. */
export async function diffOf(taskId: TaskId, { machine, signal }: Working): Promise<string> {
  return (await readWork(taskId, { host: machine, signal })).text
}

/** Merges what a task has changed into the files of the working folder and returns a report. Throws `input`, `conflict`. */
export async function applyIt(taskId: TaskId, { machine, signal }: Working): Promise<string> {
  const { applied, conflicts } = await mergeWork(taskId, { host: machine, signal })
  if (conflicts.length > 0) throw new PipeError('conflict', describeConflicts(conflicts))
  return applied.length === 0 ? nothingToApply : applied.map((path) => `applied: ${path}`).join('\n')
}
