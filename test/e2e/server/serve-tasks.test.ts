import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { watch } from '../../support/live/watching.ts'
import { say, use } from '../../support/models/replies.ts'
import { openTaskWorld } from '../../support/tasks/task-world.ts'

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
  const none = { interaction_id: asking.question.id, comment: 'perhaps' }
  expect((await command({ type: 'respond', response: none })).json).toMatchObject({
    code: 'INVALID_REQUEST',
    details: { field: 'response.selected_option_id' },
  })
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

it('takes the properties of a new task, and refuses each field that it does not know', async () => {
  const world = await openTaskWorld()
  await world.put('plan.md', '# Goals\n')
  const { call } = await serveWorld(world)
  const add = (body: object) => call('POST', '/v1/tasks', { text: 'Tidy @a.txt:1', ...body })
  const { task_id: after } = (await add({})).json as Task
  const wishes = { priority: 'background', agent: 'review', model: 'fake/model-1', after: after.slice(0, 8) }
  const added = await add({ ...wishes, refs: ['plan.md#goals', '@asset:logo'] })
  expect([added.status, added.json]).toEqual([
    201,
    expect.objectContaining({
      priority: 'background',
      agent_id: 'agent_review',
      artifact_refs: [
        { kind: 'outline_anchor', section_id: 'plan.md#goals' },
        { kind: 'asset', asset_id: 'logo' },
        { kind: 'file_range', path: 'a.txt', line_start: 1, line_end: 1 },
      ],
      options: expect.objectContaining({ model: 'fake/model-1', after }),
    }),
  ])
  const refused = async (body: object) => {
    const { status, json } = await add(body)
    return [status, (json as { readonly details?: { readonly field?: string } }).details?.field]
  }
  expect(await refused({ priorty: 'background' })).toEqual([400, 'priorty'])
  expect(await refused({ mode: 'bypass' })).toEqual([400, 'mode'])
  expect(await refused({ priority: 'high' })).toEqual([400, 'priority'])
  expect(await refused({ agent: 'a b' })).toEqual([400, 'agent'])
  expect(await refused({ model: ' ' })).toEqual([400, 'model'])
  expect(await refused({ refs: ['asset:logo', '../a.ts:1'] })).toEqual([400, 'refs.1'])
  for (const body of [{ after: 'nothing' }, { refs: ['plan.md#aims'] }, { refs: ['none.md:1'] }])
    expect((await add(body)).status).toBe(400)
  const command = await call('POST', `/v1/tasks/${after}/commands`, {
    type: 'cancel',
    reason: 'changed my mind',
  })
  expect([command.status, command.json]).toMatchObject([400, { details: { field: 'reason' } }])
  expect(((await call('GET', '/v1/tasks')).json as { tasks: readonly Task[] }).tasks).toMatchObject([
    { status: 'open' },
    { status: 'open' },
  ])
})

it('takes the model of a message, and refuses each field that it does not know', async () => {
  const world = await openTaskWorld()
  const served = await serveWorld(world)
  const { id } = (await served.call('POST', '/v1/sessions', {})).json as { readonly id: string }
  const path = `/v1/sessions/${id}/messages`
  for (const field of ['priority', 'agent', 'mode']) {
    const { status, json } = await served.call('POST', path, { text: 'hi', [field]: 'x' })
    expect([status, json]).toMatchObject([400, { details: { field } }])
  }
  expect(await served.call('POST', '/v1/sessions', { txt: 'hi' })).toMatchObject({
    status: 400,
    json: { details: { field: 'txt' } },
  })
  world.server.reply(say('Hello.'))
  const events = await watch(served, `/v1/sessions/${id}/events`)
  expect((await served.call('POST', path, { text: 'hi', model: 'fake/model-2' })).status).toBe(201)
  await events.untilType('turn_end')
  expect(world.server.requests.map(({ body }) => body.model)).toEqual(['model-2'])
  const { agents } = (await served.call('GET', '/v1/agents')).json as {
    readonly agents: readonly { readonly id: string }[]
  }
  const named = events.lines.flatMap(({ json }) => json.agent_id ?? [])
  expect([agents.map((agent) => agent.id), [...new Set(named)]]).toEqual([[id], [id]])
})

it('knows the agent of a session that the user has named by the id of its events', async () => {
  const world = await openTaskWorld()
  world.server.reply(say('Hello.'))
  const { stdout } = await world.pipe(['-s', 'work', '-o', 'stream-json', 'hi'])
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const id: string = lines.find((line) => 'agent_id' in line).agent_id
  const { call } = await serveWorld(world)
  const { json } = await call('GET', '/v1/agents')
  expect(json).toMatchObject({ agents: [{ id, messages_processed: 2 }] })
  const agent = (json as { readonly agents: readonly unknown[] }).agents[0]
  for (const name of [id, 'work']) expect((await call('GET', `/v1/agents/${name}`)).json).toEqual(agent)
})

it('refuses a task for a model that nobody knows, and takes one that lacks only its key', async () => {
  const world = await openTaskWorld()
  const { call } = await serveWorld(world)
  const wish = (model: string) => call('POST', '/v1/tasks', { text: 'Count', model })
  for (const name of ['nosuch/model', 'nosuch']) {
    const refused = await wish(name)
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { code: 'INVALID_REQUEST', message: expect.stringContaining('nosuch'), details: { field: 'model' } },
    ])
  }
  expect((await call('GET', '/v1/tasks')).json).toEqual({ tasks: [] })
  expect((await wish('openai/gpt-5')).status).toBe(201)
})
