import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/json-value.ts'
import { say, use } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { answer, type DrivenRun, drive, driveIn, request, user } from './driving-setup.ts'

/** Sends a request and returns the whole answer. */
async function ask(
  run: DrivenRun,
  id: string,
  subtype: string,
  fields: JsonObject = {},
): Promise<JsonObject> {
  await run.send(request(id, subtype, fields))
  await run.until(new RegExp(`"request_id":"${id}"`))
  const line = run
    .lines()
    .find((one) => one.type === 'control_response' && JSON.stringify(one).includes(`"${id}"`))
  return (line as unknown as { response: JsonObject }).response
}

const resultsOf = (run: DrivenRun) => run.lines().filter(({ type }) => type === 'result').length
const systemOf = (world: World) => JSON.stringify(world.server.requests[0]?.body.messages[0])

describe('the first line of a program', () => {
  it('brings prompts, a title, agents, rules, servers and settings', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'ls' }]), say('Done.'))
    const run = drive(world)
    const response = await ask(run, 'i', 'initialize', {
      systemPrompt: ['Be brief.', '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__', 'It is Monday.'],
      appendSystemPrompt: 'And kind.',
      title: 'Mondays',
      agents: { poet: { description: 'Writes verse', prompt: 'Rhyme.' } },
      disallowedTools: ['Bash(ls:*)'],
      mcpServers: { idle: { command: 'true' } },
      settings: { permissions: { deny: ['WebFetch'] } },
      planModeInstructions: 'Draw first.',
    })
    expect(response).toMatchObject({
      subtype: 'success',
      pending_permission_requests: [],
      response: {
        agents: expect.arrayContaining([{ name: 'poet', description: 'Writes verse' }]),
        mcp_servers_applied: true,
        settings_applied: true,
        disallowed_tools_applied: true,
      },
    })
    await run.send(user('list'))
    await run.until(/"type":"result"/)
    const { mcpServers } = (await ask(run, 's', 'mcp_status'))['response'] as { mcpServers: JsonValue }
    expect(mcpServers).toMatchObject([{ name: 'idle', status: 'pending' }])
    const { stderr } = await run.end()
    expect(stderr).toContain('initialize: no effect here: planModeInstructions')
    expect(systemOf(world)).toContain('Be brief.\\n\\nIt is Monday.\\n\\nAnd kind.')
    expect(JSON.stringify(world.server.requests[1]?.body)).toContain('Permission denied')
    expect((await world.pipe(['sessions'])).stdout).toContain('Mondays')
  })

  it('is an error if it asks for what would not hold', async () => {
    for (const [field, value] of [
      ['toolAliases', { Bash: 'mcp__far__bash' }],
      ['managedSettings', { permissions: { deny: ['Bash'] } }],
    ] as const) {
      const run = await driveIn()
      expect(await ask(run, 'i', 'initialize', { [field]: value })).toMatchObject({
        subtype: 'error',
        error: expect.stringContaining(`initialize: ${field} is not there`),
      })
      expect(await run.end()).toMatchObject({ code: 2 })
    }
  })

  it('may come again as it was, but not with something else', async () => {
    const run = await driveIn()
    const hooks = { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'] }] }
    await ask(run, 'a', 'initialize', { hooks })
    expect(await ask(run, 'b', 'initialize', { hooks })).toMatchObject({ response: { hooks_applied: true } })
    expect(await ask(run, 'c', 'initialize', { hooks: {} })).toMatchObject({
      subtype: 'error',
      error: expect.stringContaining('the conversation has begun'),
    })
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
  })

  it('gives a program that lost its place the questions that are open', async () => {
    const world = await openWorld()
    const run = drive(world, ['--permission-prompt-tool', 'stdio'])
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Done.'))
    await ask(run, 'a', 'initialize')
    await run.send(user('go'))
    await run.until(/can_use_tool/)
    const [question] = run.lines().filter(({ type }) => type === 'control_request')
    const again = await ask(run, 'b', 'initialize')
    expect(again['pending_permission_requests']).toEqual([question])
    await run.send(answer(question?.['request_id'], { behavior: 'allow' }))
    await run.until(/"type":"result"/)
    expect((await ask(run, 'c', 'initialize'))['pending_permission_requests']).toEqual([])
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(existsSync(join(world.cwd, 'made'))).toBe(true)
  })

  it('cannot come behind a message with what begins a conversation', async () => {
    const world = await openWorld()
    world.server.reply(say('One.'))
    const run = drive(world)
    await run.send(user('first'))
    await run.until(/"type":"result"/)
    expect(await ask(run, 'a', 'initialize')).toMatchObject({ subtype: 'success' })
    expect(await ask(run, 'b', 'initialize', { systemPrompt: 'Be brief.' })).toMatchObject({
      subtype: 'error',
    })
    await run.end()
  })
})

describe('later requests of a program', () => {
  it('change what can be changed, or nothing', async () => {
    const world = await openWorld()
    const run = drive(world, ['--protocol', 'claude'])
    await ask(run, 'i', 'initialize')
    const settings = {
      model: 'fake/model-2',
      effortLevel: 'high',
      permissions: { defaultMode: 'acceptEdits' },
    }
    expect(await ask(run, 'a', 'apply_flag_settings', { settings })).toMatchObject({ subtype: 'success' })
    world.server.reply(say('One.'))
    await run.send(user('first'))
    await run.until(/"type":"result"/)
    expect(run.lines().find(({ type }) => type === 'system')).toMatchObject({
      model: 'fake/model-2',
      permissionMode: 'acceptEdits',
    })
    expect(
      await ask(run, 'b', 'apply_flag_settings', { settings: { model: 'fake/model-1', hooks: {} } }),
    ).toMatchObject({
      subtype: 'error',
      error: expect.stringContaining('cannot be changed while the conversation runs: hooks'),
    })
    expect(await ask(run, 'c', 'apply_flag_settings', { settings: { effortLevel: 'vast' } })).toMatchObject({
      subtype: 'error',
    })
    await run.end()
  })

  it('restore files to before a message', async () => {
    const world = await openWorld()
    await writeFile(join(world.cwd, 'a.txt'), 'old\n')
    const run = drive(world, ['--permission-mode', 'accept-edits'])
    const write = (content: string) => use(['write', { path: 'a.txt', content }])
    const read = use(['read', { path: 'a.txt' }])
    world.server.reply(read, write('one\n'), say('One.'), write('two\nthree\n'), say('Two.'))
    for (const [i, uuid] of ['11111111-1111-4111-8111-111111111111', 'second'].entries()) {
      await run.send(user(`message ${i}`, { uuid }))
      await expect.poll(() => resultsOf(run)).toBe(i + 1)
    }
    const rewind = (id: string, message: string, dry_run = false) =>
      ask(run, id, 'rewind_files', { user_message_id: message, dry_run })
    expect(await rewind('a', 'second', true)).toMatchObject({
      response: { canRewind: true, filesChanged: [join(world.cwd, 'a.txt')], insertions: 1, deletions: 2 },
    })
    expect(await readBack(world)).toBe('two\nthree\n')
    expect(await rewind('b', 'second')).toMatchObject({ response: { canRewind: true } })
    expect(await readBack(world)).toBe('one\n')
    expect(await rewind('c', '11111111-1111-4111-8111-111111111111')).toMatchObject({
      response: { canRewind: true },
    })
    expect(await readBack(world)).toBe('old\n')
    expect(await rewind('d', 'third')).toMatchObject({
      response: { canRewind: false, error: 'the user sent no message "third"' },
    })
    expect(await run.end()).toMatchObject({ code: 0 })
  })
})

describe('messages that nobody typed', () => {
  it('name no commands and attach nothing', async () => {
    const world = await openWorld()
    await writeFile(join(world.cwd, 'a.txt'), 'the secret')
    world.server.reply(say('One.'), say('Two.'))
    const run = drive(world)
    await run.send(user('/compact @a.txt', { client_composed: true }))
    await run.until(/"type":"result"/)
    await run.send(user('see @a.txt'))
    await expect.poll(() => resultsOf(run)).toBe(2)
    await run.send(user('keep this', { shouldQuery: false }))
    await run.end()
    const [first, second] = world.server.requests.map(({ body }) => JSON.stringify(body.messages))
    expect([first?.includes('the secret'), second?.includes('the secret')]).toEqual([false, true])
    expect(JSON.stringify(run.lines().at(-1))).toContain('shouldQuery cannot be false')
  })
})

function readBack({ cwd }: World): Promise<string> {
  return readFile(join(cwd, 'a.txt'), 'utf8')
}
