import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sessionSchema } from '../../../src/json/documents/schema.ts'
import { outlineRequest, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'

const at = (minute: number) => `2026-02-17T12:0${minute}:00Z`
const usage = { input_tokens: 1, output_tokens: 1 }

function asked(id: string, text: string, minute: number, more: object = {}) {
  return { type: 'user', id, content: [{ type: 'text', text }], timestamp: at(minute), ...more }
}

function said(id: string, text: string, minute: number) {
  const content = [{ type: 'text', text }]
  return { type: 'assistant', id, content, timestamp: at(minute), stop_reason: 'end_turn', usage }
}

/** A session with a branch that was left, as another program wrote it. */
async function saved(world: World, more: object = {}) {
  const messages = [
    asked('q1', 'Name a colour', 0),
    said('a1', 'Red.', 1),
    asked('q2', 'Another', 2),
    said('a2', 'Green.', 3),
    asked('q3', 'A number', 4, { parent_id: 'a1' }),
    said('a3', 'Seven.', 5),
  ]
  const file = join(world.home, 'sessions', 'work.json')
  const envelope = {
    version: 1,
    id: 'work',
    system_prompt: 'You are pipe.',
    created_at: at(0),
    cwd: world.cwd,
  }
  await writeFile(file, JSON.stringify({ ...envelope, messages, ...more }))
  return file
}

async function begun() {
  const world = await openWorld()
  world.server.reply(say('Hi.'))
  await world.pipe(['hi'])
  return world
}

/** Returns the conversation that the model received last, without the environment. */
function heard(world: World): readonly string[] {
  const request = world.server.requests.at(-1)
  return (request === undefined ? [] : outlineRequest(request.body))
    .slice(1)
    .map((line) => line.replace(/<environment>[\s\S]*<\/environment>\s*/, ''))
}

quickDescribe('a session with branches', () => {
  it('continues its current branch only, by -r and by -c', async () => {
    const world = await begun()
    await saved(world)
    world.server.reply(say('Eight.'))
    expectRun(await world.pipe(['-r', 'work', 'Another number']), { stdout: 'Eight.\n' })
    const branch = ['user: Name a colour', 'assistant: Red.', 'user: A number', 'assistant: Seven.']
    expect(heard(world)).toEqual([...branch, 'user: Another number'])
    world.server.reply(say('Nine.'))
    await world.pipe(['-c', 'And another'])
    expect(heard(world).slice(-3)).toEqual(['user: Another number', 'assistant: Eight.', 'user: And another'])
  })

  it('continues at its head, and keeps the messages after it in the file', async () => {
    const world = await begun()
    const file = await saved(world, { head: 'a2' })
    world.server.reply(say('Blue.'))
    await world.pipe(['-r', 'work', 'One more'])
    expect(heard(world)).toEqual([
      'user: Name a colour',
      'assistant: Red.',
      'user: Another',
      'assistant: Green.',
      'user: One more',
    ])
    const { messages } = sessionSchema.parse(JSON.parse(await readFile(file, 'utf8')))
    expect(messages).toHaveLength(8)
    expect(messages.slice(6).map(({ parent_id }) => parent_id)).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      undefined,
    ])
    world.server.reply(say('Black.'))
    await world.pipe(['-r', 'work', 'The last'])
    expect(heard(world).slice(-4)).toEqual([
      'assistant: Green.',
      'user: One more',
      'assistant: Blue.',
      'user: The last',
    ])
  })

  it('shows its current branch as text, and all of it as JSON that can be loaded again', async () => {
    const world = await begun()
    await saved(world)
    const { stdout } = await world.pipe(['sessions', 'show', 'work'])
    expect(stdout).toContain('Seven.')
    expect(stdout).not.toContain('Green.')
    const shown = await world.pipe(['sessions', 'show', 'work', '-o', 'json'])
    expect(sessionSchema.parse(JSON.parse(shown.stdout)).messages).toHaveLength(6)
    await writeFile(join(world.home, 'sessions', 'copy.json'), shown.stdout)
    expect((await world.pipe(['sessions', 'show', 'copy'])).stdout).toBe(stdout)
  })

  it('is copied by --fork without the branches that were left', async () => {
    const world = await begun()
    await saved(world)
    world.server.reply(say('Eight.'))
    await world.pipe(['--fork', 'work', 'Another number'])
    const [copy] = (await world.sessions()).filter(({ id }) => id !== 'work').slice(-1)
    expect(copy?.messages.map(({ parent_id }) => parent_id)).toEqual(Array(6).fill(undefined))
  })

  it('is copied by sessions fork, which asks no model and prints the id', async () => {
    const world = await begun()
    await saved(world)
    const whole = await world.pipe(['sessions', 'fork', 'work'])
    expectRun(whole, { stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
    const { stdout: tree } = await world.pipe(['sessions', 'tree', 'work'])
    const green = tree
      .split('\n')
      .find((line) => line.includes('Green'))
      ?.slice(0, 8)
    const part = await world.pipe(['sessions', 'fork', `work@${green}`, '--json'])
    const { id, from } = JSON.parse(part.stdout)
    expect(from).toBe('work')
    world.server.reply(say('Eight.'), say('Blue.'))
    await world.pipe(['-r', whole.stdout.trim(), 'Another number'])
    expect(heard(world)).toEqual([
      'user: Name a colour',
      'assistant: Red.',
      'user: A number',
      'assistant: Seven.',
      'user: Another number',
    ])
    await world.pipe(['-r', id, 'One more'])
    expect(heard(world).slice(-3)).toEqual(['user: Another', 'assistant: Green.', 'user: One more'])
    expectRun(await world.pipe(['sessions', 'fork', 'nobody']), {
      code: 42,
      stdout: '',
      stderr: 'pipe: no session nobody; pipe sessions lists those of this folder\n',
    })
  })
})

it('a session goes back to a message by -r ID@MESSAGE, also to its first one', async () => {
  const world = await begun()
  const file = await saved(world)
  const { stdout } = await world.pipe(['sessions', 'tree', 'work'])
  const idOf = (said: string) =>
    stdout
      .split('\n')
      .find((line) => line.includes(said))
      ?.slice(0, 8)
  world.server.reply(say('Blue.'), say('Grey.'), say('Up.'), say('Down.'))
  await world.pipe(['-r', `work@${idOf('Green')}`, 'One more'])
  expect(heard(world).slice(-3)).toEqual(['user: Another', 'assistant: Green.', 'user: One more'])
  await world.pipe(['-r', 'work', 'The last'])
  expect(heard(world).slice(-3)).toEqual(['user: One more', 'assistant: Blue.', 'user: The last'])
  await world.pipe(['-r', `work@${idOf('Name a colour')}`, 'Name a direction'])
  expect(heard(world)).toEqual(['user: Name a direction'])
  await world.pipe(['-c', 'Another'])
  expect(heard(world)).toEqual(['user: Name a direction', 'assistant: Up.', 'user: Another'])
  const { messages } = sessionSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  expect(messages).toHaveLength(14)
  expect(messages[10]?.parent_id).toBe('00000000-0000-0000-0000-000000000000')
  const none = await world.pipe(['-r', 'work@ffffff', 'x'])
  expectRun(none, { code: 42, stdout: '', stderr: 'pipe: no message of the session begins with ffffff\n' })
})

it('a session is shown as a tree, and copied up to any message of it', async () => {
  const world = await begun()
  await saved(world)
  const tree = await world.pipe(['sessions', 'tree', 'work'])
  const lines = tree.stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.slice(10))).toEqual([
    '● > Name a colour',
    '●   Red.',
    '○ > Another',
    '○   Green.',
    '●   > A number',
    '●     Seven.',
  ])
  const idOf = (said: string) => lines.find((line) => line.includes(said))?.slice(0, 8)
  world.server.reply(say('Blue.'), say('Eight.'))
  await world.pipe(['--fork', `work@${idOf('Green')}`, 'One more'])
  expect(heard(world).slice(-3)).toEqual(['user: Another', 'assistant: Green.', 'user: One more'])
  await world.pipe(['--fork', `work@${idOf('A number')}`, 'A larger number'])
  expect(heard(world).slice(-2)).toEqual(['assistant: Red.', 'user: A larger number'])
  const { messages } = JSON.parse((await world.pipe(['sessions', 'tree', 'work', '--json'])).stdout)
  expect(messages).toMatchObject([
    { type: 'user', text: 'Name a colour', current: true },
    { parent_id: messages[0].id, text: 'Red.' },
    { parent_id: messages[1].id, text: 'Another', current: false },
    { text: 'Green.' },
    { parent_id: messages[1].id, text: 'A number', current: true },
    { text: 'Seven.' },
  ])
  expectRun(await world.pipe(['--fork', 'work@ffffff', 'x']), {
    code: 42,
    stdout: '',
    stderr: complaint('no message of the session begins with ffffff'),
  })
})

slowIt('a session without a folder is found by its id, and by -c once it was continued here', async () => {
  const world = await begun()
  await saved(world, { cwd: undefined })
  expect((await world.pipe(['sessions'])).stdout).not.toContain('work')
  world.server.reply(say('Eight.'), say('Nine.'))
  expectRun(await world.pipe(['-r', 'work', 'Another number']), { stdout: 'Eight.\n' })
  expect((await world.pipe(['sessions'])).stdout).toContain('work')
  await world.pipe(['-c', 'And another'])
  expect(heard(world)).toContain('assistant: Eight.')
})
