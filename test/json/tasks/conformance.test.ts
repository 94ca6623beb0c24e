import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { eventStoreConformance } from '../../../src/conformance/event-store.ts'
import { createEventStore } from '../../../src/json/tasks/event-store.ts'
import { conforms } from '../../support/conforms.ts'

conforms(
  'the log of tasks on disk',
  eventStoreConformance(async ({ now }) => {
    const folder = await mkdtemp(join(tmpdir(), 'pipe-json-'))
    // Two stores of one case wait for each other's lock, as processes do.
    const clock = { ...systemClock, now }
    const directory = join(folder, 'state', 'tasks')
    const open = () =>
      createEventStore({ directory, clock, pid: process.pid, host: hostname(), warn: () => undefined })
    const makeNewer = async () => {
      const path = join(directory, 'events.jsonl')
      await writeFile(path, (await readFile(path, 'utf8')).replace('"version":1', '"version":2'))
    }
    return { store: open(), reopen: open, makeNewer, close: () => rm(folder, { recursive: true }) }
  }),
)
