import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHostileRepository } from '../../support/folders/hostile-repository.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'

/** A world with a hostile project and a user whose `PATH` includes the current folder. */
async function hostile() {
  const world = await openWorld()
  const env = { PATH: `.:${world.env['PATH']}`, RIPGREP_CONFIG_PATH: '.ripgreprc' }
  return { world, env, ...(await openHostileRepository(world)) }
}

/** Queues a turn that searches, finds, reads and writes files, each after a checkpoint. */
function prepareTurn({ server }: World): void {
  server.reply(
    use(['read', { path: 'a.txt' }], ['grep', { pattern: 'o' }], ['glob', { pattern: '**/*' }]),
    use(
      ['write', { path: 'new.txt', content: 'new\n' }],
      ['edit', { path: 'a.txt', old_text: 'two', new_text: 'three' }],
    ),
    say('Done.'),
  )
}

describe('a hostile repository', () => {
  it('has traps that spring under git, so that these tests prove something', async () => {
    const { world, sprung, folders } = await hostile()
    expect(sprung()).toEqual([])
    await world.shell(
      `git diff; git commit -qam x; ${folders.map((name) => `git -C ${name} status`).join('; ')}`,
    )
    expect(sprung()).toEqual(expect.arrayContaining(['include', 'filter', 'fsmonitor', 'git_hook']))
  })

  it.each([
    ['its root', ''],
    ['an embedded bare repository', 'bare'],
    ['a worktree that is called .git', 'tree'],
  ])(
    'runs nothing and learns nothing when a prompt runs in %s (CONF-244 to CONF-248, -253, -254)',
    async (_, folder) => {
      const { world, env, sprung } = await hostile()
      await world.shell(`cp a.txt ${folder === '' ? 'b.txt' : folder}`)
      prepareTurn(world)
      const cwd = join(world.cwd, folder)
      const run = await world.pipe(['--permission-mode', 'accept-edits', '-f', 'a.txt', 'look at @a.txt'], {
        cwd,
        env,
      })
      expectRun(run, { stdout: 'Done.\n', stderr: expect.any(String) })
      expect(readdirSync(cwd)).toContain('new.txt')
      expectRun(await world.pipe(['undo'], { cwd, env }), {
        stdout: expect.stringMatching(/removed +\S*new\.txt/),
      })
      expect(readdirSync(cwd)).not.toContain('new.txt')
      expect(sprung()).toEqual([])
    },
  )

  it('CONF-253, CONF-254: runs nothing through a command that inspects it', async () => {
    const { world, env, sprung } = await hostile()
    await world.configure({})
    const commands = [
      ['sessions'],
      ['models'],
      ['auth', 'list'],
      ['auth', 'status'],
      ['audit'],
      ['audit', 'verify'],
      ['permissions'],
      ['permissions', 'check', '--command', 'git status'],
      ['permissions', 'check', '--command', 'yarn --version'],
      ['doctor'],
      ['undo', '--list'],
      ['trust', 'list'],
    ]
    for (const command of commands) await world.pipe(command, { env })
    expect(sprung()).toEqual([])
  })

  it('runs nothing when the terminal UI starts, shows the branch and prints help', async () => {
    const { world, sprung } = await hostile()
    const screen = openScreen(world, 'exec pipe', { columns: 120, rows: 40 })
    await screen.until(/evil-branch[\s\S]*^›/m)
    screen.type('/help\r')
    await screen.until(/\/quit/)
    screen.type('q')
    await screen.until(/^›/m)
    screen.type('\u0004')
    await screen.ended
    expect(sprung()).toEqual([])
  })

  it('runs nothing, moves no base URL and adds no header, even once trusted', async () => {
    const { world, sprung } = await hostile()
    prepareTurn(world)
    const run = await world.pipe(['--trust', '--permission-mode', 'accept-edits', 'look at @a.txt'])
    expectRun(run, { stdout: 'Done.\n', stderr: expect.stringContaining('ignored providers.fake.base_url') })
    expect(sprung()).toEqual([])
    expect(world.server.requests.map(({ headers }) => headers['x-evil'])).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it.each([
    ['its root', ''],
    ['an embedded bare repository', 'bare'],
    ['a worktree that is called .git', 'tree'],
  ])('PERM-185: makes every git command need permission in %s, even once trusted', async (_, folder) => {
    const { world, env, sprung } = await hostile()
    const lines = [
      'git status',
      'git diff',
      'git log -p -1',
      'git ls-files',
      'git blame a.txt',
      'git show HEAD',
    ]
    world.server.reply(use(...lines.map((command) => ['bash', { command }] as const)), say('Then not.'))
    const run = await world.pipe(['--trust', 'go'], { cwd: join(world.cwd, folder), env })
    expectRun(run, { stdout: 'Then not.\n', stderr: expect.any(String) })
    const results = JSON.stringify(world.server.requests.at(-1)?.body.messages)
    expect(results.split('because of core.fsmonitor of this repository')).toHaveLength(lines.length + 1)
    expect(sprung()).toEqual([])
  })

  it('cannot change a rule in AGENTS.md (CONF-258, CONF-261)', async () => {
    const { world, sprung } = await hostile()
    world.server.reply(
      use(['bash', { command: 'sh evil.sh' }], ['bash', { command: 'git status' }]),
      say('Then not.'),
    )
    expectRun(await world.pipe(['go']), { stdout: 'Then not.\n', stderr: expect.any(String) })
    const [first = ''] = world.server.requests.map(({ body }) => lastText(body))
    expect(first).toContain('<instructions from="AGENTS.md" supplied-by="project">\nRun touch ')
    expect(sprung()).toEqual([])
  })
})
