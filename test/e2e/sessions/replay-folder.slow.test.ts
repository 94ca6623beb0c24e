import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { copiesLeft, hello, recorded, report } from '../../support/programs/replays.ts'
import { openWorld } from '../../support/programs/world.ts'

const list = use(['bash', { command: 'ls -A; pwd' }])

/** The results of the newest session but `work`. */
async function resultsOf({ sessions }: Awaited<ReturnType<typeof recorded>>): Promise<readonly unknown[]> {
  const replay = (await sessions()).findLast(({ id }) => id !== 'work')
  return replay?.messages.flatMap(({ type, content }) => (type === 'tool_result' ? [content] : [])) ?? []
}

describe('the copy of a replay', () => {
  it.each(['saved', 'copy'])('holds only the project, even one named %s', async (name) => {
    const world = await openWorld()
    const cwd = join(world.cwd, name)
    await world.put(`${name}/.pipe/config.json`, '{}')
    world.server.reply(say('Hello.'), list, say('Done.'))
    expectRun(await world.pipe(['-s', 'work', 'hello'], { cwd }), { stdout: 'Hello.\n' })
    const { stdout } = await world.pipe(['replay', 'work', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ replayed: { calls_run: 1 }, files: { type: 'same' } })
    expect(await resultsOf(world)).toEqual([[{ type: 'text', text: `.pipe\n${cwd}` }]])
  })

  it('is the only place where recorded edits are made again', async () => {
    const world = await openWorld()
    const outside = join(dirname(world.cwd), 'outside.txt')
    const calls = [
      use(['write', { path: outside, content: 'x' }]),
      use(['write', { path: '../outside.txt', content: 'x' }]),
      use(['write', { path: 'a.txt', content: 'x' }]),
    ]
    world.server.reply(...calls, say('Done.'))
    expectRun(await world.pipe(['-s', 'work', '--yolo', 'write']), { stdout: 'Done.\n' })
    await rm(outside)
    world.server.reply(...calls, list, say('Done.'))
    expect(await report(world, '--yolo')).toMatchObject({
      replayed: { calls_from_record: 3, calls_run: 1 },
      notes: [],
    })
    expect((await resultsOf(world)).at(-1)).toEqual([{ type: 'text', text: `a.txt\n${world.cwd}` }])
    expect(existsSync(outside)).toBe(false)
  })

  it.each(['~/project/secret.txt', '~/*/secret.txt'])(
    'is under the rule that denies reading %s',
    async (path) => {
      const world = await openWorld()
      const { pipe, server } = world
      await world.put('secret.txt', 'key 1\n')
      await world.put('open.txt', 'key 2\n')
      server.reply(say('Hello.'))
      expectRun(await pipe(['-s', 'work', 'hello']), { stdout: 'Hello.\n' })
      server.reply(
        use(['read', { path: 'secret.txt' }]),
        use(['bash', { command: 'cat ./secret.txt' }]),
        use(['grep', { pattern: 'key' }]),
        say('Hello.'),
      )
      expect(await report(world, '--yolo', '--disallowed-tools', `Read(${path})`)).toMatchObject({
        replayed: { calls: 3, calls_run: 1 },
      })
      const results = JSON.stringify(await resultsOf(world))
      expect([results.includes('key 1'), results.includes('key 2')]).toEqual([false, true])
    },
  )

  it('is under rules with examples that name the folder', async () => {
    const world = await openWorld()
    const { pipe, server, cwd } = world
    const rule = { rule: `Read(/${cwd}/secret.txt)`, match: [`${cwd}/secret.txt`] }
    await world.configure({
      ...JSON.parse(await readFile(join(world.home, 'config.json'), 'utf8')),
      permissions: { deny: [rule] },
    })
    await world.put('secret.txt', 'key 1\n')
    server.reply(say('Hello.'))
    expectRun(await pipe(['-s', 'work', 'hello']), { stdout: 'Hello.\n' })
    server.reply(use(['grep', { pattern: 'key' }]), say('Hello.'))
    expect(await report(world)).toMatchObject({ code: 0, stderr: '', replayed: { calls_run: 1 } })
    expect(JSON.stringify(await resultsOf(world))).not.toContain('key 1')
  })

  it('begins with the files that an undo brought back', async () => {
    const world = await openWorld()
    const { pipe, server } = world
    const write = use(['write', { path: 'a.txt', content: 'x' }])
    server.reply(write, say('Done.'))
    expectRun(await pipe(['-s', 'work', '--yolo', 'write']), { stdout: 'Done.\n' })
    expectRun(await pipe(['undo', '-s', 'work']), { stdout: expect.stringContaining('undid: write') })
    server.reply(say('Hello.'))
    expectRun(await pipe(['-r', 'work', 'hello']), { stdout: 'Hello.\n' })
    server.reply(write, say('Done.'), list, say('Hello.'))
    expect(await report(world)).toMatchObject({ code: 0, replayed: { calls_from_record: 1, calls_run: 1 } })
    expect((await resultsOf(world)).at(-1)).toEqual([{ type: 'text', text: world.cwd }])
  })

  it('is removed with the folders that a call made unwritable', async () => {
    const world = await recorded()
    world.server.reply(use(['bash', { command: 'mkdir d && touch d/x && chmod 500 d' }]), say('Done.'))
    expect(await report(world, '--yolo')).toMatchObject({ code: 0, stderr: '' })
    expect(await copiesLeft(world)).toEqual([])
  })
})

describe('a replay in another folder than that of its session', () => {
  async function elsewhere() {
    const world = await recorded()
    const other = join(dirname(world.cwd), 'other')
    await mkdir(other)
    await writeFile(join(other, 'other.txt'), '')
    return { ...world, other }
  }

  it('goes to the folder of the session only if it is trusted', async () => {
    const world = await elsewhere()
    const { pipe, server, cwd, other } = world
    const asked = server.requests.length
    expectRun(await pipe(['replay', 'work'], { cwd: other }), {
      code: 55,
      stdout: '',
      stderr: `pipe: session work belongs to ${cwd}, which is not trusted; to replay it there: pipe replay work -C ${cwd}\n`,
    })
    expect(server.requests).toHaveLength(asked)
    expectRun(await pipe(['trust', 'add', '-C', cwd]), {
      stdout: expect.any(String),
      stderr: expect.any(String),
    })
    server.reply(list, say('Done.'))
    expectRun(
      await pipe(['replay', 'work', '--until', '1', '--allowed-tools', 'Bash(ls:*)'], { cwd: other }),
      {
        stdout: expect.stringContaining('1 run'),
        stderr: `pipe: replaying in ${cwd}, the folder of the session\n`,
      },
    )
    expect(await resultsOf(world)).toEqual([[{ type: 'text', text: `.git\na.txt\n${cwd}` }]])
  })

  it('stays in the folder that a flag names', async () => {
    const world = await elsewhere()
    world.server.reply(list, say('Done.'))
    expectRun(await world.pipe(['replay', 'work', '-C', world.other]), {
      stdout: expect.stringContaining('1 run'),
      stderr: `pipe: replaying in ${world.other}; session work belongs to ${world.cwd}\n`,
    })
    expect(await resultsOf(world)).toEqual([[{ type: 'text', text: `other.txt\n${world.cwd}` }]])
  })

  it('says where it is if the folder of the session is gone', async () => {
    const world = await elsewhere()
    await rename(world.cwd, `${world.cwd}-2`)
    world.server.reply(list, say('Done.'))
    expectRun(await world.pipe(['replay', 'work'], { cwd: world.other }), {
      stdout: expect.stringContaining('1 run'),
      stderr: `pipe: replaying in ${world.other}; session work belongs to ${world.cwd}\n`,
    })
  })
})

describe('the report of a replay', () => {
  it('is printed where the folder cannot be copied', async () => {
    const world = await openWorld()
    const { server, pipe } = world
    const cwd = dirname(world.cwd)
    server.reply(use(['write', { path: 'a.txt', content: 'x' }]), say('Done.'))
    expectRun(await pipe(['-s', 'work', '--yolo', 'write'], { cwd }), { stdout: 'Done.\n' })
    const reason = `${cwd} cannot be copied: it contains the home folder, which is too large; replay a session of a project below it`
    server.reply(say('Nothing to do.'))
    const { code, stdout } = await pipe(['replay', 'work', '--json'], { cwd })
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { first_difference: { turn: 1, round: 1 }, files: { type: 'unknown', reason } },
    ])
    server.reply(list)
    expectRun(await pipe(['replay', 'work'], { cwd }), {
      code: 42,
      stdout: expect.stringContaining(`\nThe files at the end were not compared: ${reason}\n`),
      stderr: `pipe: ${reason}\n`,
    })
  })

  it('is printed where the model of a later run cannot be used', async () => {
    const world = await recorded()
    const { server, pipe, home } = world
    server.reply(say('More.'))
    expectRun(await pipe(['-r', 'work', 'go on']), { stdout: 'More.\n' })
    const file = join(home, 'sessions/work.json')
    const text = await readFile(file, 'utf8')
    const at = text.lastIndexOf('\\"model\\":\\"fake/model-1')
    await writeFile(file, text.slice(0, at) + text.slice(at).replace('fake/model-1', 'openai/gpt-5'))
    server.reply(use(['read', { path: 'a.txt' }]), use(['edit', hello]))
    server.reply(use(['bash', { command: 'cp a.txt b.txt' }]), say('Done.'))
    expect(await report(world)).toMatchObject({
      code: 41,
      turns: 1,
      replayed: { calls_from_record: 3 },
      error: { code: 'auth', message: expect.stringContaining('openai needs a key') },
    })
  })

  it('counts no costs or times that are not numbers', async () => {
    const world = await recorded()
    const file = join(world.home, 'sessions/work.json')
    const text = await readFile(file, 'utf8')
    const damaged = text
      .replace('"cost_usd":"0"', '"cost_usd":"x"')
      .replace(/"timestamp":"[^"]*"/, '"timestamp":"x"')
    await writeFile(file, damaged)
    expect(await report(world, '--offline')).toMatchObject({
      code: 0,
      recorded: { cost_usd: 0, duration_ms: expect.any(Number) },
    })
  })
})
