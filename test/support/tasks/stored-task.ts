import { hostname } from 'node:os'
import { join } from 'node:path'
import { isTaskId, type TaskId } from '../../../src/id.ts'
import { createEventStore } from '../../../src/json/tasks/event-store.ts'
import type { TaskEvent } from '../../../src/task.ts'
import { stillClock } from '../clocks/still-clock.ts'
import { bareEvents, taskId } from './task-events.ts'

/** Appends events of tasks to the log in a home, as a worker would. */
export async function storeEvents(home: string, events: readonly TaskEvent[]): Promise<void> {
  const { signal } = new AbortController()
  const store = createEventStore({
    directory: join(home, 'tasks'),
    clock: stillClock(),
    pid: process.pid,
    host: hostname(),
    warn: (line) => {
      throw new Error(line)
    },
  })
  for (const event of events) await store.append(event.payload.taskId, [event], { signal })
  await store.close()
}

type Asked = Extract<TaskEvent, { readonly type: 'user_interaction_requested' }>['payload']

const plain: Partial<Asked> = {
  kind: 'confirm',
  options: [
    { id: 'yes', label: 'Yes', style: 'primary' },
    { id: 'no', label: 'No', isDefault: true },
  ],
}

/** Stores a task that asks, yes or no unless the question is given. Returns its id. */
export async function askingTask(home: string, question: Partial<Asked> = plain): Promise<string> {
  const events = bareEvents().slice(0, 3)
  const asking = events.map((event) =>
    event.type === 'user_interaction_requested'
      ? { ...event, payload: { ...event.payload, ...question } }
      : event,
  )
  await storeEvents(home, asking)
  return taskId(1)
}

/** Ends a task as a worker does that has changed nothing. */
export async function completeTask(home: string, id: string): Promise<void> {
  const about = { taskId: readTaskId(id), authorActorId: 'agent_pipe' }
  await storeEvents(home, [
    { type: 'task_started', payload: { ...about, agentId: 'agent_pipe' } },
    { type: 'task_completed', payload: about },
  ])
}

/** Stores a task of a folder under which three workers died, so that the next one fails it. */
export async function deadlyTask(home: string, repo: string): Promise<void> {
  const [created, started] = bareEvents()
  if (created?.type !== 'task_created' || started === undefined) throw new Error('there are no such events')
  const withRepo: TaskEvent = { ...created, payload: { ...created.payload, options: { repo } } }
  await storeEvents(home, [withRepo, started, started, started])
}

function readTaskId(text: string): TaskId {
  if (isTaskId(text)) return text
  throw new Error(`not the id of a task: ${text}`)
}
