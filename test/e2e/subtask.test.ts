import { expect, it } from 'vitest'
import { expectRun } from '../support/program.ts'
import { say, use } from '../support/replies.ts'
import { openWorld } from '../support/world.ts'

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
      ...{ title: 'tidy @asset:logo', agent_id: 'agent_review', created_by: 'agent_pipe' },
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
