import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say, use } from '../support/replies.ts'
import { serveWorld } from '../support/served.ts'
import { openTaskWorld } from '../support/task-world.ts'
import { watch } from '../support/watching.ts'

interface Task {
  readonly task_id: string
  readonly status: string
}

it('puts a task on the board, answers the question of its worker, and applies its work', async () => {
  const world = await openTaskWorld()
  const served = await serveWorld(world)
  const { call } = served
  expect((await call('GET', '/v1/tasks')).json).toEqual({ tasks: [] })
  const added = await call('POST', '/v1/tasks', { text: 'Say two in a.txt' })
  const task = { task_id: expect.any(String), project: 'project', title: 'Say two in a.txt', status: 'open' }
  expect([added.status, added.json]).toEqual([201, expect.objectContaining(task)])
  const { task_id: id } = added.json as Task
  const path = `/v1/tasks/${id}`
  const events = watch(served, `${path}/events`)
  world.server.reply(use(['bash', { command: 'touch b.txt; echo two > a.txt' }]))
  await world.pipe(['worker', '--once'])
  expect((await call('GET', '/v1/tasks?status=awaiting_user')).json).toMatchObject({
    tasks: [{ task_id: id }],
  })
  expect((await call('GET', '/v1/tasks?status=done&project=project')).json).toEqual({ tasks: [] })
  const asking = (await call('GET', path)).json as { question: { id: string }; log: readonly string[] }
  expect(asking).toMatchObject({
    task: { ...task, status: 'awaiting_user', pending_interaction_id: asking.question.id },
    facts: expect.any(Array),
    log: [
      expect.stringContaining('added'),
      expect.stringContaining('started'),
      expect.stringContaining('asks'),
    ],
  })
  const command = (body: object) => call('POST', `${path}/commands`, body)
  const respond = (interaction: string, option: string) =>
    command({ type: 'respond', response: { interaction_id: interaction, selected_option_id: option } })
  expect((await respond('ui_abcdefghijkl', 'allow')).status).toBe(404)
  expect((await respond(asking.question.id, 'whatever')).status).toBe(400)
  expect((await respond(asking.question.id, 'allow')).json).toEqual({})
  expect((await respond(asking.question.id, 'allow')).status).toBe(409)
  world.server.reply(say('It says two.'))
  await world.pipe(['worker', '--once'])
  const watching = await events
  const types = ['task_created', 'task_started', 'user_interaction_requested', 'user_interaction_responded']
  await watching.untilType('task_completed')
  expect(watching.lines.map(({ json }) => json.type).filter((type) => type !== 'task_started')).toEqual([
    ...types.filter((type) => type !== 'task_started'),
    'task_completed',
  ])
  const second = await watch(served, `${path}/events`, watching.lines[1]?.id)
  await second.untilType('task_completed')
  expect(second.lines).toEqual(watching.lines.slice(2))
  const diff = await call('GET', `${path}/diff`)
  expect([diff.headers.get('content-type'), diff.text]).toEqual([
    'text/x-diff; charset=utf-8',
    expect.stringContaining('+two'),
  ])
  expect((await command({ type: 'apply' })).json).toEqual({
    report: expect.stringContaining('applied: a.txt'),
  })
  expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('two\n')
  expect((await command({ type: 'cancel' })).status).toBe(409)
})

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
