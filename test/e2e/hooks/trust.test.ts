import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { serve } from '../../support/servers/web-server.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'
import { aboutCall, hook, openHooked } from './hooks-setup.ts'

const skipped = 'pipe: hooks of this project are not approved: run pipe trust\n'

const files = [
  '.pipe/config.json',
  '.pipe/config.local.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/hooks.json',
]

async function propose(world: World, file: string, hooks: object): Promise<void> {
  await world.put(file, JSON.stringify({ hooks }))
}

/** Has the model run a command. Returns what the program writes to stderr. */
async function go(world: World, ...flags: readonly string[]): Promise<string> {
  world.server.reply(use(['bash', { command: 'touch called' }]), say('Done.'))
  const run = await world.pipe(['-p', ...flags, 'go'])
  expectRun(run, { stdout: 'Done.\n', stderr: expect.any(String) })
  return run.stderr
}

const made = (world: World, name: string) => existsSync(join(world.cwd, name))

describe('a hook', () => {
  it('of any file of a project never starts before it is approved, and again not after a change', async () => {
    const world = await openWorld()
    const proposed = (index: number) => ({ PreToolUse: hook(`touch marker${index}`) })
    const markers = () => files.map((_, index) => made(world, `marker${index}`))
    for (const [index, file] of files.entries()) await propose(world, file, proposed(index))
    expect(await go(world, '--yolo', '--trust')).toBe(skipped)
    expect([made(world, 'called'), ...markers()]).toEqual([true, ...files.map(() => false)])
    const { stdout } = await world.pipe(['trust'])
    const approved = files.map(
      (file, index) => `hook: PreToolUse: touch marker${index} (${join(world.cwd, file)})`,
    )
    expect(stdout.trimEnd().split('\n').sort()).toEqual([...approved, `trusted: ${world.cwd}`].sort())
    expect(await go(world, '--yolo')).toBe('')
    expect(markers()).toEqual(files.map(() => true))
    for (const [index, file] of files.entries()) {
      await propose(world, file, { PreToolUse: hook('touch other') })
      expect(await go(world, '--yolo')).toBe(skipped)
      expect(made(world, 'other')).toBe(false)
      await propose(world, file, proposed(index))
    }
  })
})

describe('a project', () => {
  it('runs the approved hooks of an agent for that agent alone, wherever else they are written', async () => {
    const world = await openWorld()
    const hooks = { SessionStart: hook('touch marker') }
    await world.put(
      '.pipe/agents/a.md',
      `---\nname: a\ndescription: b\nhooks: ${JSON.stringify(hooks)}\n---\nBe it.`,
    )
    expect((await world.pipe(['trust'])).stdout).toContain('hook: SessionStart: touch marker')
    await propose(world, '.claude/settings.json', hooks)
    expect(await go(world, '--yolo')).toBe(skipped)
    expect(made(world, 'marker')).toBe(false)
    expect(await go(world, '--yolo', '--agent', 'a')).toBe(skipped)
    expect(made(world, 'marker')).toBe(true)
  })

  it('that was not approved allows nothing by a hook', async () => {
    const world = await openWorld()
    await propose(world, '.claude/settings.json', {
      PreToolUse: hook(aboutCall({ permissionDecision: 'allow' })),
    })
    expect(await go(world)).toContain(skipped)
    expect(made(world, 'called')).toBe(false)
    await world.pipe(['trust'])
    expect(await go(world)).toBe('')
    expect(made(world, 'called')).toBe(true)
  })

  it('that was not approved sends nothing, asks no model and runs nothing, in any mode', async () => {
    const world = await openWorld()
    const web = await serve((_, response) => response.end())
    const hooks = [
      { type: 'http', url: web.url },
      { type: 'prompt', prompt: 'Is it safe?' },
      { type: 'command', command: 'touch marker' },
    ]
    const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'Stop']
    const all = Object.fromEntries(events.map((event) => [event, [{ hooks }]]))
    for (const file of files) await propose(world, file, all)
    for (const mode of ['plan', 'default', 'accept-edits', 'auto', 'bypass'])
      expect(await go(world, '--trust', '--permission-mode', mode)).toContain(skipped)
    expect(web.connections).toBe(0)
    expect(world.server.requests).toHaveLength(10)
    expect(made(world, 'marker')).toBe(false)
  })

  it('that turns all its hooks off has none', async () => {
    const world = await openWorld()
    const hooks = { SessionStart: hook('touch marker') }
    await world.put('.claude/settings.json', JSON.stringify({ hooks, disableAllHooks: true }))
    expect(await go(world, '--yolo')).toBe('')
    await world.pipe(['trust'])
    expect(await go(world, '--yolo')).toBe('')
    expect(made(world, 'marker')).toBe(false)
  })

  it('whose settings of another agent are broken says so and runs', async () => {
    const world = await openWorld()
    await world.put('.claude/settings.json', '{"hooks": ')
    expect(await go(world, '--yolo')).toContain('.claude/settings.json')
    expect(made(world, 'called')).toBe(true)
  })

  it('names what does not run of its approved hooks', async () => {
    const world = await openWorld()
    await propose(world, '.claude/settings.json', {
      Setup: hook('touch marker'),
      PreToolUse: [
        { hooks: [{ type: 'oracle', prompt: 'Is it safe?' }] },
        { matcher: '(', hooks: [{ type: 'command', command: 'touch marker' }] },
        { hooks: [{ type: 'command', command: 'touch marker', if: 'WebFetch(x)' }] },
      ],
    })
    await world.pipe(['trust'])
    const at = `pipe: ${join(world.cwd, '.claude/settings.json')}: hooks`
    // Engines have words of their own for what is wrong with an expression.
    const complaints = (await go(world, '--yolo')).replace(/(regular expression): .+/, '$1')
    expect(complaints).toBe(
      [
        `${at}.Setup: this event is not supported, so its hooks do not run`,
        `${at}.PreToolUse: hooks of type oracle are not supported, so this one does not run`,
        `${at}.PreToolUse: the matcher "(" is not valid, so its hooks do not run: Invalid regular expression`,
        `${at}: the rule "WebFetch(x)" cannot be read: expected WebFetch(domain:HOST), such as WebFetch(domain:example.com)\n`,
      ].join('\n'),
    )
    expect(made(world, 'marker')).toBe(false)
  })
})

describe('pipe hooks list', () => {
  it('shows the hooks of the user and of the project, approved or not', async () => {
    const world = await openHooked({ Stop: hook('notify done', { async: true }) })
    await propose(world, '.claude/settings.json', {
      PreToolUse: hook('check\nall', { timeout: 5 }, 'Bash|Edit'),
    })
    const own = join(world.home, 'config.json')
    const theirs = join(world.cwd, '.claude/settings.json')
    const run = await world.pipe(['hooks', 'list'])
    expectRun(run, {
      stdout: expect.any(String),
      stderr: complaint('hooks of this project are not approved'),
    })
    const rows = run.stdout.trimEnd().split('\n')
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['EVENT', 'MATCHER', 'STATE', 'FILE', 'COMMAND'],
      ['Stop', '*', 'runs', own, 'notify done'],
      ['PreToolUse', 'Bash|Edit', 'not approved', theirs, 'check all'],
    ])
    const { stdout } = await world.pipe(['hooks', '--json'])
    const usual = { type: 'command', once: false, on_failure: 'continue' }
    expect(JSON.parse(stdout)).toEqual({
      hooks: [
        {
          ...usual,
          event: 'Stop',
          matcher: '',
          command: 'notify done',
          source: own,
          origin: 'user',
          approved: true,
          timeout_ms: 600_000,
          async: true,
        },
        {
          ...usual,
          event: 'PreToolUse',
          matcher: 'Bash|Edit',
          command: 'check\nall',
          source: theirs,
          origin: 'peer',
          approved: false,
          timeout_ms: 5_000,
          async: false,
        },
      ],
    })
  })
})

describe.skipIf(!hasTerminal)('the question of the terminal UI', () => {
  const size = { columns: 120, rows: 40 }

  async function openProject(): Promise<World> {
    const world = await openWorld()
    await world.shell('git init -q .')
    await propose(world, '.claude/settings.json', { UserPromptSubmit: hook('touch marker') })
    await world.put('.mcp.json', JSON.stringify({ files: { command: 'no-such-server', args: ['--all'] } }))
    await world.put(
      '.pipe/skills/pdf/SKILL.md',
      '---\nname: pdf\ndescription: Reads PDF files.\n---\nRead it.',
    )
    return world
  }

  it('shows what the project would run, which runs from the first message on after a yes', async () => {
    const world = await openProject()
    world.server.reply(say('Hello.'))
    const screen = await openPrompt(world, size)
    screen.type('hello\r')
    await screen.until(
      /1: files: no-such-server --all[\s\S]*1: UserPromptSubmit: touch marker[\s\S]*1: pdf[\s\S]*❯/,
    )
    expect(made(world, 'marker')).toBe(false)
    screen.type('y')
    await screen.until(/trusted: [\s\S]*▌ hello[\s\S]*Hello\./)
    expect(made(world, 'marker')).toBe(true)
    screen.type('\u0004')
    await screen.ended
    const { stderr } = await world.pipe(['hooks'])
    expect(stderr).toBe('')
  })

  it('does the same line by line', async () => {
    const world = await openProject()
    world.server.reply(say('Hello.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('hello')
    await terminal.until(/UserPromptSubmit: touch marker[\s\S]*2 Yes, I trust it and all of this[\s\S]*>$/)
    expect(made(world, 'marker')).toBe(false)
    await terminal.line('y')
    await terminal.until(/pipe: trusted: [\s\S]*Hello\.\n>$/)
    expect(made(world, 'marker')).toBe(true)
  })

  it('can trust the folder alone, and does not ask again about what it held', async () => {
    const world = await openProject()
    world.server.reply(say('Hello.'), say('Again.'))
    const screen = await openPrompt(world, size)
    screen.type('hello\r')
    await screen.until(/❯[\s\S]*f {2}I trust the folder, but allow none of this/)
    screen.type('f')
    await screen.until(/trusted: [\s\S]*▌ hello[\s\S]*Hello\./)
    screen.type('\u0004')
    await screen.ended
    const next = await openPrompt(world, size)
    next.type('again\r')
    await next.until(/▌ again[\s\S]*Again\./)
    expect(next.history()).toContain('hooks of this project are not approved')
    expect(made(world, 'marker')).toBe(false)
  })
})
