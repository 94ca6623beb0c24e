import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

/** Opens a world with agents of the user, each as its name and its fields. */
async function withAgents(agents: Readonly<Record<string, readonly string[]>>): Promise<World> {
  const world = await openWorld()
  await mkdir(join(world.home, 'agents'), { recursive: true })
  for (const [name, fields] of Object.entries(agents)) {
    const lines = ['---', `name: ${name}`, 'description: b', ...fields, '---', 'Be it.', '']
    await writeFile(join(world.home, `agents/${name}.md`), lines.join('\n'))
  }
  return world
}

const touch = use(['bash', { command: 'touch made' }])
const wasMade = ({ cwd }: World) => existsSync(join(cwd, 'made'))
const delegate = (agent: string) => use(['elf', { prompt: 'work', agent, isolation: 'none' }])
const heard = ({ server }: World, at: number) => server.requests.map(({ body }) => lastText(body))[at]

describe('a limited agent', () => {
  it.each([
    ['tools: Bash(ls:*)', 'may call only Bash(ls:*)'],
    ['disallowedTools: Bash(touch:*)', 'Bash(touch:*) forbids it'],
    ['permissionMode: dontAsk', 'nobody can be asked'],
    ['readonly: true', 'plan mode only reads'],
  ])('with %s makes no other call in any mode', async (field, reason) => {
    const world = await withAgents({ a: [field] })
    world.server.reply(touch, say('Done.'))
    expectRun(await world.pipe(['--agent', 'a', '--yolo', 'go']), {
      stdout: 'Done.\n',
      stderr: expect.stringContaining('1 call was denied'),
    })
    expect(heard(world, 1)).toContain(reason)
    expect(wasMade(world)).toBe(false)
  })

  it.each([
    [['tools: Agent, Bash(ls:*)'], 'may call only Bash(ls:*)'],
    [['disallowedTools: Bash(touch:*)'], 'Bash(touch:*) forbids it'],
    [['tools: Agent, Read'], 'there is no tool bash'],
  ])('with %j makes no other call through an elf', async (fields, reason) => {
    const world = await withAgents({ a: fields })
    world.server.reply(delegate('general'), touch, say('Tried.'), say('Done.'))
    expectRun(await world.pipe(['--agent', 'a', '--yolo', 'go']), { stdout: 'Done.\n' })
    expect(heard(world, 2)).toContain(reason)
    expect(wasMade(world)).toBe(false)
  })

  it('starts only the agents that its file names, with their own tools', async () => {
    const world = await withAgents({ a: ['tools: Agent(b)'], b: ['tools: Bash'] })
    world.server.reply(delegate('general'), delegate('b'), touch, say('Made.'), say('Done.'))
    expectRun(await world.pipe(['--agent', 'a', '--yolo', 'go']), { stdout: 'Done.\n' })
    expect(heard(world, 1)).toContain('may start only b, not general')
    expect(wasMade(world)).toBe(true)
  })

  it('may make the calls that its file names', async () => {
    const world = await withAgents({ a: ['tools: Bash(touch made)'] })
    world.server.reply(touch, say('Done.'))
    expectRun(await world.pipe(['--agent', 'a', '--yolo', 'go']), { stdout: 'Done.\n' })
    expect(wasMade(world)).toBe(true)
  })

  const guarded = (type: string) => [
    'hooks:',
    '  PreToolUse:',
    '    - matcher: Bash',
    '      hooks:',
    `        - type: ${type}`,
    '          command: "echo guarded >&2; exit 2"',
  ]

  it('has its own hooks before its calls, and before those of its elves', async () => {
    const world = await withAgents({ a: guarded('command') })
    world.server.reply(touch, delegate('general'), touch, say('Tried.'), say('Done.'))
    const run = await world.pipe(['--agent', 'a', '--yolo', 'go'])
    expect(run.stdout).toBe('Done.\n')
    expect([heard(world, 1), heard(world, 3)].map((text) => text?.includes('guarded'))).toEqual([true, true])
    expect(wasMade(world)).toBe(false)
  })

  it('does not work where the hooks that check its calls cannot run', async () => {
    const world = await withAgents({ a: guarded('unheard') })
    const run = await world.pipe(['--agent', 'a', 'go'])
    expect([run.code, world.server.requests.length]).toEqual([52, 0])
    expect(run.stderr).toContain('without them it could do more than it should')
  })

  it('ends its turn after the rounds of its file', async () => {
    const world = await withAgents({ a: ['maxTurns: 1'] })
    world.server.reply(touch, say('Done.'))
    await world.pipe(['--agent', 'a', '--yolo', 'go'])
    expect(world.server.requests).toHaveLength(1)
  })
})
