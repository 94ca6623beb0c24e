import { argv, stdout } from 'node:process'
import { systemIds } from '../../src/cli/host.ts'
import { bareEvents } from '../support/tasks/task-events.ts'
import { openStores } from './open.ts'

// A process that appends tasks: `appender.js URL COUNT`. Each append is a task's creation and start. Prints the ids of stored events, a
// line an append.

const [, , url = '', count = '0'] = argv
const { signal } = new AbortController()
const newId = systemIds()
const { events, close } = openStores(url)

for (let i = 0; i < Number(count); i++) {
  const id = newId.task()
  const stored = await events.append(id, bareEvents(id).slice(0, 2), { expectedSeq: 0, signal })
  stdout.write(`${stored.map((event) => event.id).join(' ')}\n`)
}
await close()
