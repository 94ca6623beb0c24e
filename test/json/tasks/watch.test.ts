import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { createEventStore } from '../../../src/json/tasks/event-store.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { bareEvents, taskId } from '../../support/tasks/task-events.ts'
import { openEvents, signal } from './event-log.ts'

it('a watch looks at the log again when its pause ends, and not before', async () => {
  const directory = await folderWith()
  const clock = createHandClock()
  const pauses = [deferred(), deferred()]
  let begun = 0
  const store = createEventStore({
    directory,
    clock,
    pid: process.pid,
    host: hostname(),
    warn: () => undefined,
    untilNextLook: async () => pauses[begun++]?.promise,
  })
  const next = store.watch({ signal }).next()
  await openEvents(directory).append(taskId(1), bareEvents().slice(0, 1), { signal })
  expect([begun, clock.slept]).toEqual([1, []])
  pauses[0]?.resolve()
  expect((await next).value).toMatchObject({ id: 1, type: 'task_created' })
  await store.close()
})
