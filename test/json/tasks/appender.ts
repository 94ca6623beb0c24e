import { hostname } from 'node:os'
import { argv, pid, stderr, stdout } from 'node:process'
import { systemIds } from '../../../src/cli/host.ts'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { createEventStore } from '../../../src/json/tasks/event-store.ts'
import { bareEvents } from '../../support/tasks/task-events.ts'

// A process that appends tasks: `appender.js FOLDER COUNT BYTES`. Each append is a task's creation and start, of BYTES or more. Prints
// the ids of events that are on disk, a line an append.

const [, , directory = '', count = '0', bytes = '0'] = argv
const { signal } = new AbortController()
const newId = systemIds()
const warn = (line: string) => void stderr.write(`${line}\n`)
const store = createEventStore({ directory, clock: systemClock, pid, host: hostname(), warn })

for (let i = 0; i < Number(count); i++) {
  const id = newId.task()
  const events = bareEvents(id)
    .slice(0, 2)
    .map((event) =>
      event.type === 'task_created'
        ? { ...event, payload: { ...event.payload, intent: 'x'.repeat(Number(bytes)) } }
        : event,
    )
  const stored = await store.append(id, events, { expectedSeq: 0, signal })
  stdout.write(`${stored.map((event) => event.id).join(' ')}\n`)
}
