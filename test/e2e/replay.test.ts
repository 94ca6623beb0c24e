import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { say, use } from '../support/models/replies.ts'
import { wires } from '../support/models/wires.ts'
import { expectRun } from '../support/programs/program.ts'
import { copiesLeft, hello, recorded, report } from '../support/programs/replays.ts'
import { openWorld } from '../support/programs/world.ts'
import { openScreen } from '../support/terminals/screen.ts'

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

  it('runs the calls of another model in a copy, which has the recorded changes so far', async () => {
    const world = await recorded()
    const { pipe, server, cwd, shell, sessions } = world
    const command = `cat a.txt b.txt; pwd; git log --format=%s; git checkout -qb other; rm ${cwd}/b.txt`
    server.reply(
      use(['read', { path: 'a.txt' }]),
      use(['edit', hello]),
      use(['bash', { command: 'cp a.txt b.txt' }]),
      use(['bash', { command: 'rm "$HOME/project/a.txt"' }]),
      use(['bash', { command }]),
      say('I did more.'),
    )
    const before = await readdir(cwd)
    const found = await report(world, '-m', 'fake/other', '--yolo')
    expect(found).toMatchObject({
      code: 0,
      stderr: '',
      recorded: { models: ['fake/fake-1'], rounds: 4, calls: 3 },
      replayed: { rounds: 6, calls: 5, calls_from_record: 3, calls_run: 1 },
      first_difference: { turn: 1, round: 4, type: 'call' },
      files: {
        type: 'diff',
        from: 'recorded_end',
        diff: expect.stringMatching(/^diff --git a\/b\.txt[^@]*deleted/),
      },
      notes: [],
    })
    const replay = (await sessions()).find(({ id }) => id !== 'work')
    const outputs = replay?.messages.filter(({ type }) => type === 'tool_result').at(-1)?.content
    expect(outputs).toEqual([{ type: 'text', text: `goodbye\ngoodbye\n${cwd}\none` }])
    expect(replay?.messages[0]?.['metadata']).toMatchObject({ replay_of: expect.stringMatching(/^work@/) })
    expect(await readdir(cwd)).toEqual(before)
    expectRun(await shell('git branch --format="%(refname:short)" --list other'), { stdout: '' })
    expect(await copiesLeft(world)).toEqual([])
    server.reply(say('I go on.'))
    expectRun(await pipe(['-c', 'go on']), { stdout: 'I go on.\n' })
    expect((await sessions()).map(({ messages }) => messages.length)).toEqual([12, 10])
  })

  it('gives no recorded result once other calls have changed the files', async () => {
    const world = await recorded()
    const { server } = world
    const other = { path: 'a.txt', old_text: 'hello', new_text: 'farewell' }
    server.reply(
      use(['read', { path: 'a.txt' }]),
      use(['edit', other]),
      use(['bash', { command: 'cp a.txt b.txt' }]),
      say('Done.'),
    )
    expect(await report(world, '--yolo')).toMatchObject({
      replayed: { calls_from_record: 1, calls_run: 2 },
      first_difference: { turn: 1, round: 2, type: 'call' },
      files: { diff: expect.stringMatching(/-goodbye\n\+farewell\n[\s\S]*-goodbye\n\+farewell\n$/) },
    })
  })

  it('starts a later turn from the files that its checkpoint holds', async () => {
    const world = await recorded()
    const { pipe, server } = world
    server.reply(use(['bash', { command: 'rm a.txt' }]), say('Gone.'))
    expectRun(await pipe(['-r', 'work', '--yolo', 'remove a.txt']), { stdout: 'Gone.\n' })
    server.reply(
      use(['read', { path: 'a.txt' }]),
      use(['edit', hello]),
      use(['bash', { command: 'cp a.txt b.txt' }]),
    )
    server.reply(say('Done.'), use(['bash', { command: 'cat b.txt && rm b.txt' }]), say('Gone.'))
    const rules = ['--allowed-tools', 'Bash(rm:*), Bash(cat:*)']
    expect(await report(world, ...rules)).toMatchObject({
      turns: 2,
      first_difference: { turn: 2, round: 1, type: 'call' },
      files: {
        from: 'recorded_end',
        diff: expect.stringMatching(/new file mode[\s\S]*\+goodbye\n[\s\S]*deleted file/),
      },
      notes: [],
    })
  })

  it('allows nothing that only the record allowed', async () => {
    const world = await recorded()
    const { server } = world
    server.reply(use(['bash', { command: 'touch c.txt' }]), say('Done.'))
    expect(await report(world, '--until', '1')).toMatchObject({
      replayed: { calls_from_record: 0, calls_run: 0 },
    })
  })

  it('that is killed leaves no copy behind', async () => {
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

  it('exits 50 where a call runs that was denied', async () => {
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

  it('exits 50 where a tool is gone or refuses its arguments', async () => {
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

  it('sends messages where they were sent, during a turn too, and ends turns where they were cut short', async () => {
    const world = await recorded()
    const file = join(world.home, 'sessions/work.json')
    const lines = (await readFile(file, 'utf8')).split('\n')
    const at = lines.findIndex((line) => line.includes('"type":"tool_result"'))
    const message = (id: string, content: string) =>
      `{"type":"user","id":"${id}","content":[{"type":"text","text":"${content}"}],"timestamp":"2026-01-01T00:00:00.000Z"},`
    const steered = [...lines.slice(0, at + 1), message('steer', 'be quick'), ...lines.slice(at + 1)]
    const end = steered.findLastIndex((line) => line.includes('"type":"assistant"'))
    const cut = [...steered.slice(0, end), message('next', 'go on'), ...steered.slice(end)]
    const killed = lines.slice(
      0,
      lines.findLastIndex((line) => line.includes('"type":"tool_result"')),
    )
    for (const [wanted, replayed] of [
      [steered, { rounds: 4, calls_from_record: 3 }],
      [cut, { rounds: 4, calls_from_record: 3 }],
      [killed, { rounds: 3, calls_from_record: 2 }],
    ] as const) {
      await writeFile(file, wanted.join('\n'))
      expect(await report(world, '--offline')).toMatchObject({ code: 0, replayed })
    }
  })
})

describe('a locked replay', () => {
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

  it.each([
    ['without a terminal and then in one', false],
    ['in a terminal and then without one', true],
  ])('takes no terminal for a changed tool, recorded %s', async (_, isFirst) => {
    const world = await openWorld()
    const inTerminal = async () => {
      const screen = openScreen(world, 'pipe -s work "say it"; echo over', { columns: 80, rows: 24 })
      await screen.until(/over/)
      await screen.ended
    }
    const outside = async () => void (await world.pipe(['-s', 'work', 'say it']))
    world.server.reply(say('One.'), say('Two.'))
    for (const run of isFirst ? [inTerminal, outside] : [outside, inTerminal]) await run()
    expect(await report(world, '--offline', '--locked')).toMatchObject({ code: 0, stderr: '', turns: 2 })
    const screen = openScreen(world, 'pipe replay work --offline --locked; echo code $?', {
      columns: 80,
      rows: 24,
    })
    await screen.until(/code 0/)
    await world.configure({
      model: 'fake/model-1',
      providers: { fake: { dialect: 'openai-chat', base_url: world.server.baseUrl } },
      tools: { task: true },
    })
    const changed = await report(world, '--offline', '--locked')
    expect([changed.code, changed.drift]).toMatchObject([50, [{ name: 'tools' }]])
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
