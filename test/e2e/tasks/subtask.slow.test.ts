import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../support/databases/postgres.ts'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

const add = { action: 'add', text: 'tidy @asset:logo', agent: 'review' }

it('a model puts a task on the board where the settings turn the tool on', async () => {
  const { pipe, server, configure, cwd } = await openWorld()
  const settings = {
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
  }
  await configure({ ...settings, tools: { task: true }, permissions: { allow: ['task'] } })
  server.reply(use(['task', add]), use(['task', { action: 'list' }]), say('Done.'))
  expectRun(await pipe(['split it']), { stdout: 'Done.\n' })
  const { tasks } = JSON.parse((await pipe(['task', '--json'])).stdout)
  expect(tasks).toMatchObject([
    {
      title: 'tidy @asset:logo',
      agent_id: 'agent_review',
      created_by: 'agent_pipe',
      artifact_refs: [{ kind: 'asset', asset_id: 'logo' }],
      options: { repo: cwd, folder: cwd, mode: 'default' },
    },
  ])
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(
    `${tasks[0].task_id} open agent_review tidy @asset:logo`,
  )
  await configure({
    ...settings,
    actors: { agent_pipe: { capabilities: ['tool_read_file'] } },
    tools: { task: true },
  })
  server.reply(use(['task', add]), say('No.'))
  await pipe(['again'])
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('does not have the capability create_task')
})

it('the tool is off by default', async () => {
  const { pipe, server } = await openWorld()
  server.reply(say('Hello.'))
  await pipe(['hi'])
  expect(JSON.stringify(server.requests)).not.toContain('"name":"task"')
})

it('a task adds subtasks for the agent that the user picks, long after the worker that asked has ended', async () => {
  const world = await openWorld()
  const { pipe, server, configure, put, shell } = world
  await put('a.txt', 'a')
  await shell('git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm one')
  await configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
    tools: { task: true },
    permissions: { allow: ['task'] },
  })
  const limits = ['--max-tokens', '100000', '--permission-mode', 'accept-edits']
  const id = (await pipe(['task', 'add', 'split the work', ...limits])).stdout.trimEnd()
  server.reply(use(['task', { action: 'add', text: 'tidy up', agent: 'review, general' }]))
  await pipe(['worker', '--once', '--trust'])
  const viewOf = async (one: string) => JSON.parse((await pipe(['task', 'show', one, '--json'])).stdout)
  expect(await viewOf(id)).toMatchObject({ status: 'awaiting_user' })
  expect((await pipe(['task', 'show', id])).stdout).toMatch(
    /\nasks\nWhich agent works on this task\?\n +tidy up\n {2}1 review \(agent_review\)\n {2}2 general \(agent_general\)\n$/,
  )
  await pipe(['task', 'answer', id, 'gen'])
  server.reply(say('Split.'), say('Tidied.'))
  await pipe(['worker', '--once', '--trust'])
  const task = await viewOf(id)
  expect(task).toMatchObject({ status: 'done', summary: 'Split.' })
  const child = await viewOf(task.child_task_ids[0])
  const { repo, base, folder } = task.options
  expect(child).toMatchObject({
    title: 'tidy up',
    parent_task_id: id,
    agent_id: 'agent_general',
    created_by: 'agent_pipe',
    options: { repo, base, folder, limits: { max_tokens: 100_000 }, mode: 'accept-edits' },
  })
})

/** Answers a task whose call asks for a permission, and then which agent, each time after the worker that asked has ended. */
async function answerBoth(more: Readonly<Record<string, string>>) {
  const world = await openWorld()
  const { server, configure, put, shell } = world
  const pipe = (...args: readonly string[]) => world.pipe(args, { env: more })
  await put('a.txt', 'a')
  await shell('git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm one')
  await configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
    tools: { task: true },
  })
  const id = (await pipe('task', 'add', 'split the work')).stdout.trimEnd()
  server.reply(use(['task', { action: 'add', text: 'tidy up', agent: 'review, general' }]), say('Split.'))
  const questions: string[] = []
  for (const given of ['allow', 'agent_general']) {
    await pipe('worker', '--once', '--trust')
    const { stdout } = await pipe('task', 'show', id)
    questions.push(/\nasks\n(.*)/.exec(stdout)?.[1] ?? '')
    await pipe('task', 'answer', id, given)
  }
  server.reply(say('Tidied.'))
  await pipe('worker', '--once', '--trust')
  expect(questions).toEqual(['Use the tool task?', 'Which agent works on this task?'])
  const { tasks } = JSON.parse((await pipe('task', '--json')).stdout)
  expect(tasks).toMatchObject([{ agent_id: 'agent_general', status: 'done' }, { status: 'done' }])
}

it('a call that asks for a permission and then for an agent asks each once', () => answerBoth({}))

describeWithDatabase('where a database holds the tasks', ({ url }) => {
  it('a call that asks for a permission and then for an agent asks each once', () =>
    answerBoth({ PIPE_DATABASE_URL: url }))
})
