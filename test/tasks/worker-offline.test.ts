import { expect, it } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { PipeError } from '../../src/error.ts'
import type { TaskClaims } from '../../src/event-store.ts'
import { round, says } from '../support/conversations/agent.ts'
import { openWorkerWorld } from './worker-world.ts'

it('a worker waits while the store cannot be reached, and says so once', async () => {
  const world = await openWorkerWorld((words) => ({ rounds: [round(says(words))] }))
  const task = await world.add('later')
  const drain = new AbortController()
  const said: string[] = []
  let failures = 2
  const claim: TaskClaims['claim'] = async (...args) => {
    if (failures-- > 0) throw new PipeError('network', 'it is away')
    return world.claims.claim(...args)
  }
  await world.work(
    {
      once: false,
      claims: { claim },
      clock: { ...systemClock, monotonic: () => 100 * systemClock.monotonic() },
      onOffline: ({ message }) => said.push(message),
      onAppend: ({ type }) => type === 'task_completed' && drain.abort(),
    },
    drain.signal,
  )
  expect(said).toEqual(['it is away'])
  expect(await world.log(task.taskId)).toEqual(['created', 'started 1', 'completed: later'])
})
