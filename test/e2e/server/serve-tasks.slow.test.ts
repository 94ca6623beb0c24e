import { expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { watch } from '../../support/live/watching.ts'
import { openTaskWorld } from '../../support/tasks/task-world.ts'

interface Task {
  readonly task_id: string
  readonly status: string
}

it('tells lists which tasks change, and serves none of another folder', async () => {
  const world = await openTaskWorld()
  const served = await serveWorld(world)
  const elsewhere = await world.pipe(['task', 'add', 'elsewhere'], { cwd: world.temp })
  const foreign = elsewhere.stdout.trimEnd()
  const lists = await watch(served, '/v1/events')
  let isTold = false
  const told = lists.untilType('task').then((line) => {
    isTold = true
    return line
  })
  const ids: string[] = []
  while (!isTold) ids.push(((await served.call('POST', '/v1/tasks', { text: 'Do it' })).json as Task).task_id)
  const { task_id: changed } = (await told).json.task
  expect(ids).toContain(changed)
  expect((await served.call('POST', `/v1/tasks/${changed}/commands`, { type: 'cancel' })).json).toEqual({})
  await lists.until(({ json }) => json.task?.task_id === changed && json.task.status === 'canceled')
  const { tasks } = (await served.call('GET', '/v1/tasks')).json as { tasks: readonly Task[] }
  expect(tasks.map(({ task_id }) => task_id)).toEqual(ids)
  for (const path of ['', '/events', '/diff'])
    expect((await served.call('GET', `/v1/tasks/${foreign}${path}`)).status).toBe(404)
})

it('knows a task as soon as it is added, and its end as soon as it is canceled, while lists are watched', async () => {
  const served = await serveWorld(await openTaskWorld())
  const lists = await watch(served, '/v1/events')
  const found: unknown[] = []
  for (let i = 0; i < 20; i++) {
    const { task_id: id } = (await served.call('POST', '/v1/tasks', { text: 'Do it' })).json as Task
    const { status } = await served.call('GET', `/v1/tasks/${id}`)
    await served.call('POST', `/v1/tasks/${id}/commands`, { type: 'cancel' })
    const { task } = (await served.call('GET', `/v1/tasks/${id}`)).json as { readonly task: Task }
    found.push([status, task.status])
  }
  expect(found).toEqual(Array.from({ length: 20 }, () => [200, 'canceled']))
  await lists.close()
})
