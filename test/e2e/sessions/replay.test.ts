import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { wires } from '../../support/models/wires.ts'
import { expectRun } from '../../support/programs/program.ts'
import { copiesLeft, hello, recorded, report } from '../../support/programs/replays.ts'
import { openWorld } from '../../support/programs/world.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'

describe('a replay', () => {
  it.each(wires)('of a session over $dialect goes as recorded, with its server and without', async (wire) => {
    const server = await wire.start()
    let isClosed = false
    onTestFinished(() => (isClosed ? undefined : server.close()))
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    const { baseUrl: base_url } = server
    await world.configure({ model: 'own/fake-1', providers: { own: { dialect: wire.dialect, base_url } } })
    const replies = [
      [
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } },
      ],
      [{ type: 'tool_call', name: 'edit', arguments: hello }],
      [{ type: 'text', text: 'Done.' }],
    ] as const
    const queue = () => server.reply(...replies.map((blocks) => ({ blocks })))
    queue()
    expectRun(await world.pipe(['-s', 'work', '--yolo', 'say goodbye']), { stdout: 'Done.\n' })
    await world.put('a.txt', 'hello\n')
    queue()
    const again = {
      code: 0,
      stderr: '',
      replay_of: 'work',
      turns: 1,
      recorded: { rounds: 3, calls: 2 },
      replayed: { rounds: 3, calls: 2, calls_from_record: 2, calls_run: 0 },
    }
    const online = await report(world)
    expect(online).toMatchObject({ ...again, files: { type: 'same' } })
    await server.close()
    isClosed = true
    const offline = await report(world, '--offline', '--locked')
    expect(offline).toMatchObject(again)
    expect([online.first_difference, offline.first_difference]).toEqual([undefined, undefined])
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('hello\n')
    expect(server.violations).toEqual([])
  })

  it('allows nothing that only the record allowed', async () => {
    const world = await recorded()
    const { server } = world
    server.reply(use(['bash', { command: 'touch c.txt' }]), say('Done.'))
    expect(await report(world, '--until', '1')).toMatchObject({
      replayed: { calls_from_record: 0, calls_run: 0 },
    })
  })

  slowIt('that is killed leaves no copy behind', async () => {
    const world = await recorded()
    world.server.reply(use(['bash', { command: 'echo started; sleep 1000' }]))
    const running = world.start(['replay', 'work', '--yolo'])
    await expect.poll(() => copiesLeft(world)).toHaveLength(1)
    running.kill('SIGKILL')
    await running.ended
    await expect.poll(() => copiesLeft(world)).toEqual([])
  })
})

describe('an offline replay', () => {
  it('exits 50 where a rule denies a recorded call, and keeps nothing', async () => {
    const world = await recorded()
    const { pipe, home, server } = world
    const asked = server.requests.length
    expectRun(await pipe(['replay', 'work', '--offline', '--disallowed-tools', 'Edit(a.txt)']), {
      code: 50,
      stdout: expect.stringContaining('First difference:  turn 1, round 2'),
      stderr: expect.stringMatching(
        /^pipe: turn 1, round 2: the replay differs from the record: the error of edit "Permission denied: .*" instead of the result of edit "changed a\.txt"\n$/,
      ),
    })
    expect([await readdir(join(home, 'sessions')), await readdir(join(home, 'audit'))]).toEqual([
      ['work.json'],
      ['work.jsonl'],
    ])
    expect(server.requests).toHaveLength(asked)
  })

  slowIt('exits 50 where a call runs that was denied', async () => {
    const world = await openWorld()
    const { server, pipe } = world
    server.reply(use(['bash', { command: 'touch c.txt' }]), say('Done.'))
    expectRun(await pipe(['-s', 'work', 'make c.txt']), { stdout: 'Done.\n', stderr: expect.any(String) })
    expect(await report(world, '--offline')).toMatchObject({ code: 0 })
    expect(await report(world, '--offline', '--yolo')).toMatchObject({
      code: 50,
      divergence: {
        turn: 1,
        round: 1,
        expected: 'the denied call bash "{\\"command\\":\\"touch c.txt\\"}"',
        came: 'the same call, which the rules now allow',
      },
    })
  })

  slowIt('exits 50 where a tool is gone or refuses its arguments', async () => {
    const world = await recorded()
    const file = join(world.home, 'sessions/work.json')
    const text = await readFile(file, 'utf8')
    for (const [from, to] of [
      ['"name":"edit"', '"name":"patch"'],
      ['"old_text":"hello"', '"old_text":7'],
    ] as const) {
      await writeFile(
        file,
        text
          .replace(from, to)
          .replace(
            '"tool_name":"edit"',
            from === '"name":"edit"' ? '"tool_name":"patch"' : '"tool_name":"edit"',
          ),
      )
      const { code, divergence } = await report(world, '--offline')
      expect([code, divergence]).toMatchObject([
        50,
        { turn: 1, round: 2, came: expect.stringMatching(/^the error of/) },
      ])
    }
  })
})

quickDescribe('a locked replay', () => {
  it('says what has changed since, and sends nothing', async () => {
    const world = await recorded()
    const { cwd, put, server } = world
    const asked = server.requests.length
    await put('AGENTS.md', 'Be brief.\n')
    const flags = [
      '--locked',
      '-m',
      'fake/other',
      '--temperature',
      '0.5',
      '--append-system-prompt',
      'Be kind.',
    ]
    const { code, drift, stderr } = await report(world, ...flags)
    expect([code, drift.map(({ name }: { name: string }) => name)]).toEqual([
      50,
      ['model', 'system_prompt', 'temperature', `${cwd}/AGENTS.md`],
    ])
    expect(stderr).toMatch(
      /\n {2}model: fake\/model-1 then, fake\/other now\n {2}system_prompt: [0-9a-f]{12} then, /,
    )
    expect(server.requests).toHaveLength(asked)
  })

  it('is refused for a session without a manifest', async () => {
    const world = await recorded()
    const file = join(world.home, 'sessions/work.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"manifest":', '"other":'))
    expect(await report(world, '--locked')).toMatchObject({
      code: 42,
      stderr: expect.stringContaining('no manifest'),
    })
  })
})
