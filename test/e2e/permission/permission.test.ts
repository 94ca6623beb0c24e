import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

/** Runs a model that edits a.txt and then runs a command. Returns which of both happened. */
async function change(...flags: readonly string[]) {
  const { pipe, put, server, cwd } = await openWorld()
  await put('a.txt', 'one\n')
  server.reply(
    use(['read', { path: 'a.txt' }]),
    use(['edit', { path: 'a.txt', old_text: 'one', new_text: 'two' }]),
    use(['bash', { command: 'touch made' }]),
    say('Done.'),
  )
  const run = await pipe([...flags, '-q', '--json', 'change it'])
  expectRun(run, { stdout: expect.any(String) })
  return {
    edited: readFileSync(join(cwd, 'a.txt'), 'utf8') === 'two\n',
    ran: existsSync(join(cwd, 'made')),
    denials: JSON.parse(run.stdout).permission_denials,
    told: server.requests.slice(2).map(({ body }) => lastText(body)),
  }
}

const denied = (reason: string) =>
  `tool: Permission denied: ${reason}, and nobody can be asked for permission here. The call was not carried out.`

describe('rules given by flags', () => {
  it('allow and deny like rules in the settings, and deny wins', async () => {
    expect(await change('--allowed-tools', 'Bash(touch:*), Edit')).toMatchObject({
      edited: true,
      ran: true,
      denials: [],
    })
    expect(
      await change('--yolo', '--allowedTools', 'Bash', '--disallowedTools=WebFetch,Bash(touch:*)'),
    ).toMatchObject({
      edited: true,
      ran: false,
      denials: [{ name: 'bash', reason: 'Bash(touch:*) forbids it' }],
    })
  })

  it('end the run if they cannot be read, and are named', async () => {
    const { pipe } = await openWorld()
    const stderr = complaint(/--allowed-tools: the rule "Bash\(git" cannot be read: /)
    expectRun(await pipe(['--allowed-tools', 'Bash(git diff:*', 'hi']), { code: 52, stdout: '', stderr })
  })
})

describe("other agents' names of arguments", () => {
  const peer = [
    use(['read', { file_path: 'a.txt' }]),
    use(['edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }]),
    say('Done.'),
  ]

  it('stand for ours, as a model writes them on in an imported session', async () => {
    const { pipe, put, server, cwd } = await openWorld()
    await put('a.txt', 'one\n')
    server.reply(...peer)
    expectRun(await pipe(['--allowed-tools', 'Edit(a.txt)', '-q', 'change it']), { stdout: 'Done.\n' })
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('two\n')
  })

  it('are judged by the same rules', async () => {
    const { pipe, put, server, cwd } = await openWorld()
    await put('a.txt', 'one\n')
    server.reply(...peer)
    const run = await pipe(['--yolo', '--disallowed-tools', 'Read(a.txt)', '-q', '--json', 'change it'])
    expect(JSON.parse(run.stdout).permission_denials).toMatchObject([
      { name: 'read', reason: 'Read(a.txt) forbids it' },
      { name: 'edit', reason: 'Read(a.txt) forbids it' },
    ])
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n')
  })

  it.each([
    ['on the command line', ['--disallowedTools', 'TodoWrite,Task'], {}],
    ['in the settings', [], { permissions: { deny: ['TodoWrite', 'Task'] } }],
  ])('name the tools in rules %s', async (_, words, settings) => {
    const { pipe, server, configure } = await openWorld()
    const providers = { fake: { dialect: 'openai-chat', base_url: server.baseUrl } }
    await configure({ model: 'fake/model-1', providers, ...settings })
    const items = [{ text: 'one', status: 'pending' }]
    server.reply(use(['todo', { items }], ['elf', { description: 'look', prompt: 'look' }]), say('Done.'))
    const run = await pipe(['--yolo', ...words, '-q', '--json', 'go'])
    expect(run.stderr).toBe('')
    expect(JSON.parse(run.stdout).permission_denials).toMatchObject([
      { name: 'todo', reason: 'TodoWrite forbids it' },
      { name: 'elf', reason: 'Task forbids it' },
    ])
  })
})

describe('a run that cannot ask', () => {
  it('denies a call that changes something, and reports it to the model and in the result', async () => {
    const edits = 'it changes a.txt'
    const runs = 'touch made can change things'
    const reason = (why: string) => `${why}, and nobody can be asked for permission here`
    expect(await change()).toEqual({
      edited: false,
      ran: false,
      denials: [
        {
          call_id: 'call_0',
          name: 'edit',
          arguments: { path: 'a.txt', old_text: 'one', new_text: 'two' },
          reason: reason(edits),
        },
        { call_id: 'call_0', name: 'bash', arguments: { command: 'touch made' }, reason: reason(runs) },
      ],
      told: [denied(edits), denied(runs)],
    })
  })

  it.each([
    [['--permission-mode', 'accept-edits'], { edited: true, ran: false }, ['bash']],
    [['--permission-mode', 'bypass'], { edited: true, ran: true }, []],
    [['--yolo'], { edited: true, ran: true }, []],
    [['--dangerously-skip-permissions'], { edited: true, ran: true }, []],
    [['--permission-mode', 'plan'], { edited: false, ran: false }, ['edit', 'bash']],
    [['--permissionMode', 'plan', '--sandbox', 'off'], { edited: false, ran: false }, ['edit', 'bash']],
  ])('%j', async (flags, happened, refused) => {
    const { edited, ran, denials } = await change(...flags)
    expect({ edited, ran }).toEqual(happened)
    expect(denials.map(({ name }: { readonly name: string }) => name)).toEqual(refused)
  })
})

describe('the permission mode', () => {
  it('may come from the settings, and a flag overrides it', async () => {
    const { pipe, put, configure, server, cwd } = await openWorld()
    await put('a.txt', 'one\n')
    const providers = { fake: { dialect: 'openai-chat', base_url: server.baseUrl } }
    await configure({ model: 'fake/m', providers, permissions: { mode: 'bypass' } })
    const touch = (name: string) => use(['bash', { command: `touch ${name}` }])
    server.reply(touch('first'), say('one'), touch('second'), say('two'))
    expectRun(await pipe(['go']), { stdout: 'one\n' })
    expectRun(await pipe(['-q', '--permission-mode', 'default', 'go']), { stdout: 'two\n' })
    expect([existsSync(join(cwd, 'first')), existsSync(join(cwd, 'second'))]).toEqual([true, false])
  })
})

describe('/permissions', () => {
  it('lists what was allowed for the session', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Done.'))
    const screen = await openPrompt(world, { columns: 100, rows: 30 })
    screen.type('make it\r')
    await screen.until(/s {2}this session: touch made[\s\S]*Enter chooses/)
    screen.type('s')
    await screen.until(/Done\.[\s\S]*›/)
    screen.type('/permissions\r')
    await screen.until(/Mode ask: .*[\s\S]*Without asking, this session:\n\s+Bash\(touch made\)/)
  })
})
