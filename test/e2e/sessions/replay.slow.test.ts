import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { copiesLeft, hello, recorded, report } from '../../support/programs/replays.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'

describe('a replay', () => {
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
})

describe('an offline replay', () => {
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
})
