import { hostname } from 'node:os'
import { join } from 'node:path'
import { createEventStore } from '../../src/json/tasks/event-store.ts'
import type { TaskEvent } from '../../src/task.ts'
import { stillClock } from './still-clock.ts'
import { bareEvents, taskId } from './task-events.ts'

/** Appends events of tasks to the log in a home, as a worker would. */
export async function storeEvents(home: string, events: readonly TaskEvent[]): Promise<void> {
  const { signal } = new AbortController()
  const store = createEventStore({
    ...{ directory: join(home, 'tasks'), clock: stillClock(), pid: process.pid, host: hostname() },
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
