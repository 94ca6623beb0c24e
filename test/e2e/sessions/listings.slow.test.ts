import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commands } from '../../../src/cli/commands/command-table.ts'
import { subcommands } from '../../../src/cli/subcommands.ts'
import { say } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { askingTask, completeTask, deadlyTask } from '../../support/tasks/stored-task.ts'

/** The typed words of every action that prints JSON and ends. A server goes on, and has tests of its own. */
const listings = Object.entries(commands).flatMap(([name, { actions }]) =>
  actions
    .filter(({ json, name: action }) => json !== undefined && name !== 'serve' && action !== 'serve')
    .map((action) => [name, ...(action.name === undefined ? [] : [action.name])]),
)

/** Actions that show a session. */
const ofSession = /^(sessions|recall|audit|undo|replay)\b/

/** Arguments that an action needs. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'sessions show': ['work'],
  'sessions export': ['work'],
  'sessions fork': ['work'],
  'sessions tree': ['work'],
  'sessions rename': ['work', 'another title'],
  'sessions delete': ['work', '--yes'],
  'sessions prune': ['--keep', '0', '--yes'],
  'sessions search': ['hello'],
  recall: ['hello'],
  'memory show': ['1a2b3c4d'],
  'memory add': ['use', 'pnpm'],
  'memory forget': ['1a2b3c4d', '--yes'],
  undo: ['--list'],
  replay: ['work', '--offline'],
  'task add': ['tidy up'],
  'task answer': ['yes'],
  worker: ['--once'],
  race: ['-m', 'fake/a,fake/b', 'hi'],
  'mcp show': ['tools'],
  'plugin show': ['greeter'],
  'plugin config': ['greeter'],
  'agents show': ['review'],
  'skills show': ['tidy'],
  'race apply': ['1a2b'],
  'race drop': ['1a2b'],
  'config get': ['model'],
  'permissions check': ['--command', 'ls'],
}

/** Adds a task for an action that needs one, in the state that the action needs. Returns its id. */
async function taskFor(line: string, { pipe, home, cwd }: World): Promise<readonly string[]> {
  if (line === 'task answer') return [await askingTask(home)]
  if (line === 'worker') await deadlyTask(home, cwd)
  if (!/^task (show|log|wait|diff|apply|discard|cancel|retry)$/.test(line)) return []
  const id = (await pipe(['task', 'add', 'tidy up'])).stdout.trimEnd()
  if (/^task (retry|wait|discard)$/.test(line)) await pipe(['task', 'cancel', id])
  if (/^task (diff|apply)$/.test(line)) await completeTask(home, id)
  return [id]
}

/** Keeps the result of a race for an action that needs one. */
async function keepResult(line: string, { shell }: World): Promise<void> {
  if (!/^race (apply|drop)$/.test(line)) return
  const commit = 'git -c user.name=A -c user.email=a@b commit -q --allow-empty -m one'
  const refs = ['race', 'race-base'].map((kind) => `git update-ref refs/pipe/${kind}/1a2b3c4d-a HEAD`)
  await shell(['git init -q', commit, ...refs].join(' && '))
}

/** Sets up what an action shows. */
async function prepare(line: string, { put, configure, pipe }: World): Promise<void> {
  if (line.startsWith('mcp'))
    await configure({ mcp_servers: { tools: { command: process.execPath, args: [realServer] } } })
  if (line.startsWith('skills')) {
    await put('.pipe/skills/tidy/SKILL.md', '---\nname: tidy\ndescription: tidies\n---\nTidy.')
    await pipe(['trust'])
  }
  if (line !== 'plugin show' && line !== 'plugin config') return
  await put('greeter/.claude-plugin/plugin.json', '{"name": "greeter"}')
  await put('greeter/commands/greet.md', 'Greet.')
  await pipe(['plugin', 'add', './greeter', '--yes'])
}

const realServer = fileURLToPath(new URL('../../support/mcp/real-server.js', import.meta.url))

/** A field that the output of each action must have. */
const fields: Readonly<Record<string, string>> = {
  'sessions list': 'sessions',
  'sessions show': 'id',
  'sessions export': 'id',
  'sessions fork': 'id',
  'sessions tree': 'messages',
  'sessions rename': 'title',
  'sessions delete': 'deleted',
  'sessions prune': 'deleted',
  'sessions import': 'found',
  'sessions search': 'sessions',
  recall: 'sessions',
  'memory list': 'memories',
  'memory show': 'text',
  'memory add': 'id',
  'memory forget': 'forgotten',
  'memory path': 'path',
  models: 'models',
  'agents list': 'agents',
  'agents show': 'prompt',
  'agents check': 'findings',
  'skills list': 'skills',
  'skills show': 'text',
  'skills check': 'findings',
  'config list': 'settings',
  'config get': 'value',
  'hooks list': 'hooks',
  'mcp list': 'servers',
  'mcp show': 'name',
  'mcp test': 'servers',
  'plugin list': 'plugins',
  'plugin show': 'name',
  'plugin config': 'options',
  'plugin marketplace': 'marketplaces',
  'auth status': 'providers',
  'auth list': 'stored',
  'trust list': 'folders',
  'permissions list': 'mode',
  'permissions check': 'decision',
  undo: 'turns',
  replay: 'replay_of',
  'task list': 'tasks',
  'task add': 'task_id',
  'task show': 'task_id',
  'task log': 'stream_id',
  'task answer': 'task_id',
  'task wait': 'task_id',
  'task cancel': 'task_id',
  'task retry': 'task_id',
  'task diff': 'task_id',
  'task apply': 'task_id',
  'task discard': 'task_id',
  worker: 'stream_id',
  race: 'racers',
  'race list': 'results',
  'race apply': 'applied',
  'race drop': 'dropped',
  doctor: 'ok',
  'audit show': 'entries',
  'audit list': 'logs',
  'audit export': 'entries',
  'audit verify': 'session_id',
}

describe('a command', () => {
  it('sends nothing to the model, whatever follows its name', async () => {
    const { pipe, server } = await openWorld()
    for (const name of subcommands) {
      const { code, stdout } = await pipe([name, 'nonsense', 'of', 'all sorts'])
      // Recall takes any words.
      expect([name, code, stdout]).toEqual([name, name === 'recall' ? 0 : 2, ''])
    }
    expect(server.requests).toEqual([])
  })
})

describe('the listing of a command', () => {
  it.each(listings)('is one JSON document with --json: %s %s', async (...words) => {
    const world = await openWorld()
    const { pipe, server } = world
    const line = words.join(' ')
    if (ofSession.test(line)) {
      server.reply(say('Hello.'))
      expectRun(await pipe(['-s', 'work', 'hi']), { stdout: 'Hello.\n' })
    }
    // Only a race needs models.
    const env = line === 'race' ? {} : { FAKE_BASE_URL: 'http://127.0.0.1:1' }
    if (line === 'race') server.reply(say('One.'), say('Two.'))
    const id = await taskFor(line, world)
    await keepResult(line, world)
    await prepare(line, world)
    if (line.startsWith('memory')) await writeFile(join(world.home, 'MEMORY.md'), '- a <!-- 1a2b3c4d -->')
    const { stdout } = await pipe([...words, ...id, ...(needed[line] ?? []), '--json'], { env })
    const document = JSON.parse(stdout)
    expect(Object.keys(document)).toContain(fields[line])
    expect(keysOf(document).filter((key) => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([])
  })
})

function keysOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) => [key, ...keysOf(entry)])
}
