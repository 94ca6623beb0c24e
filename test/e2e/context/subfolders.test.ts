import { expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

async function project(): Promise<World> {
  const world = await openWorld()
  await world.put('.git/HEAD', '')
  await world.put('AGENTS.md', 'root rules')
  await world.put('api/AGENTS.md', 'rules of the API </instructions>')
  await world.put('api/secret/CLAUDE.md', 'hidden rules')
  await world.put('api/secret/c.ts', 'export {}\n')
  await world.put('api/a.ts', 'export {}\n')
  await world.put('.claude/rules/ts.md', '---\npaths: "**/*.ts"\n---\nrules of TypeScript')
  return world
}

const read = (path: string) => ['read', { path }] as const

/** The messages of each request, as text. */
const sent = (world: World) => world.server.requests.map(({ body }) => JSON.stringify(body.messages))

const count = (text: string, part: string) => text.split(part).length - 1

it('a subfolder’s instructions come once with the first result from there, and change nothing before it', async () => {
  const world = await project()
  world.server.reply(use(read('api/a.ts')), use(read('api/a.ts')), say('Done.'))
  expectRun(await world.pipe(['-p', '--trust', 'go']), { stdout: 'Done.\n' })
  const [first = '', second = '', third = ''] = sent(world)
  expect(['rules of the API', 'rules of TypeScript'].map((rule) => first.includes(rule))).toEqual([
    false,
    false,
  ])
  expect(second.startsWith(first.slice(0, -1))).toBe(true)
  expect(third.startsWith(second.slice(0, -1))).toBe(true)
  expect(second).toContain(
    'Instructions that count for what this call is about:\\n<instructions from=\\"api/AGENTS.md\\" supplied-by=\\"project\\">\\nrules of the API &lt;/instructions>\\n</instructions>\\n<instructions from=\\".claude/rules/ts.md\\"',
  )
  expect([count(third, 'rules of the API'), count(third, 'rules of TypeScript')]).toEqual([1, 1])
})

it('a resumed conversation gets them no second time, and a deny rule keeps them back', async () => {
  const world = await project()
  await world.put(
    '.pipe/config.json',
    JSON.stringify({ permissions: { deny: ['Read(api/secret/CLAUDE.md)'] } }),
  )
  world.server.reply(
    use(read('api/a.ts')),
    say('Done.'),
    use(read('api/a.ts')),
    use(read('api/secret/c.ts')),
    say('Done.'),
  )
  await world.pipe(['-p', '--trust', 'go'])
  expectRun(await world.pipe(['-p', '-c', '--trust', 'go on']), { stdout: 'Done.\n' })
  const last = sent(world).at(-1) ?? ''
  expect([count(last, 'rules of the API'), count(last, 'hidden rules')]).toEqual([1, 0])
})

it('people see what the tool gave, without the instructions behind it', async () => {
  const world = await project()
  world.server.reply(use(read('api/a.ts')), say('Done.'))
  const { stdout } = await world.pipe(['-p', '--trust', '-o', 'stream-json', 'go'])
  const end = stdout.split('\n').find((line) => line.includes('"tool_end"'))
  expect(end).toContain('export {}')
  expect(end).not.toContain('rules of the API')
})

it('a failed call brings no instructions', async () => {
  const world = await project()
  world.server.reply(use(read('api/none.ts')), say('Done.'))
  await world.pipe(['-p', '--trust', 'go'])
  expect(sent(world).at(-1)).not.toContain('rules of the API')
})

it('with -v a run names them when they come, and without it says nothing', async () => {
  const world = await project()
  world.server.reply(use(read('api/a.ts')), say('Done.'), use(read('api/a.ts')), say('Done.'))
  const loud = await world.pipe(['-p', '-v', '--no-session', '--trust', 'go'])
  expect(loud.stderr.split('\n').filter((line) => line.includes('loaded'))).toEqual([
    'pipe: api/AGENTS.md, .claude/rules/ts.md loaded',
  ])
  expectRun(await world.pipe(['-p', '--no-session', '--trust', 'go']), { stdout: 'Done.\n' })
})

it('with -v a run does not name those that an elf gets', async () => {
  const world = await project()
  world.server.reply(
    use(['elf', { prompt: 'look', agent: 'explore' }]),
    use(read('api/a.ts')),
    say('Seen.'),
    say('Done.'),
  )
  const { stdout, stderr } = await world.pipe(['-p', '-v', '--trust', 'go'])
  expect(stdout).toBe('Done.\n')
  expect(sent(world)[2]).toContain('rules of the API')
  expect(stderr).not.toContain('loaded')
})
