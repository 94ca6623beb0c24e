import { describe } from 'vitest'
import { systemClock } from '../../src/cli/clock.ts'
import { systemIds } from '../../src/cli/host.ts'
import { eventStoreConformance } from '../../src/conformance/event-store.ts'
import { eventFormat } from '../../src/json/tasks/format.ts'
import { openTaskDatabase } from '../../src/postgres/task-database.ts'
import { conforms } from '../support/conforms.ts'
import { createDatabase, postgresServer } from '../support/postgres.ts'

describe.skipIf(postgresServer === undefined)('in a real PostgreSQL', async () => {
  const database = postgresServer === undefined ? undefined : await createDatabase()

  conforms(
    'the events of tasks in a database',
    eventStoreConformance(async ({ now }) => {
      await database?.clear()
      const opened = [open(now)]
      const reopen = () => {
        const one = open(now)
        opened.push(one)
        return one.events
      }
      const [first] = opened
      if (first === undefined) throw new Error('nothing is open')
      return {
        store: first.events,
        reopen,
        close: async () => {
          for (const one of opened) await one.close()
        },
      }
    }),
  )

  function open(now: () => number) {
    return openTaskDatabase({
      url: database?.url ?? '',
      clock: { ...systemClock, now },
      newId: systemIds(),
      formats: { events: eventFormat },
      warn: () => undefined,
    })
  }
})
