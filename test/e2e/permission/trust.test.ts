import { existsSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { told } from '../../support/programs/told.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'
import { openProject, propose } from './trust-setup.ts'

const untrusted = expect.stringContaining('the folder is not trusted')
const ignored = (path: string) =>
  `pipe: ${path}: ignored permissions.allow: the allow rules of a project need your approval: run pipe trust\n`

describe('a git command', () => {
  it('needs a permission in an untrusted folder, but not with --trust', async () => {
    const world = await openProject()
    const status = 'git status --porcelain'
    expect(await told(world, status)).toEqual(untrusted)
    expect(await told(world, status, '--trust')).toBe('tool: (no output)')
    expect(await told(world, status)).toEqual(untrusted)
  })

  it('runs in a trusted folder and below it, but not in a repository inside it', async () => {
    const world = await openProject()
    await world.put('a/b.txt', '')
    const config = join(world.home, 'trust.json')
    expectRun(await world.pipe(['trust', '-C', 'a']), { stdout: `trusted: ${world.cwd}\n` })
    expect(statSync(config).mode & 0o777).toBe(0o600)
    expect(await told(world, 'git status --porcelain')).toBe('tool: ?? a/')
    expect(await told(world, 'git status --porcelain', '-C', 'a')).toBe('tool: ?? a/')
    await world.shell('git init -q inner')
    expect(await told(world, 'git status', '-C', 'inner')).toEqual(untrusted)
  })
})

describe('pipe trust', () => {
  it('lists decisions, and removes them', async () => {
    const world = await openProject()
    expectRun(await world.pipe(['trust', 'remove']), {
      code: 42,
      stdout: '',
      stderr: complaint('you have not decided about'),
    })
    await world.pipe(['trust'])
    expectRun(await world.pipe(['trust', 'list']), {
      stdout: expect.stringMatching(new RegExp(`^trusted {6}\\d{4}-\\d\\d-\\d\\d {2}${world.cwd}\\n$`)),
    })
    expectRun(await world.pipe(['trust', 'remove']), { stdout: `forgotten: ${world.cwd}\n` })
    expectRun(await world.pipe(['trust', 'list']), {
      stdout: '',
      stderr: complaint('no decisions yet, so no folder is trusted'),
    })
    expect(await told(world, 'git status')).toEqual(untrusted)
  })

  it('lists each folder on one line, whatever its name', async () => {
    const world = await openWorld()
    const folder = join(world.cwd, 'a\ntrusted      2026-01-01  ')
    await mkdir(join(folder, '.pipe'), { recursive: true })
    const shown = `${world.cwd}/a\\x0atrusted      2026-01-01  `
    expectRun(await world.pipe(['trust'], { cwd: folder }), { stdout: `trusted: ${shown}\n` })
    const { stdout } = await world.pipe(['trust', 'list'])
    expect(stdout.replace(/\d{4}-\d\d-\d\d/, 'today')).toBe(`trusted      today  ${shown}\n`)
  })

  it('approves the current rules of the folder, but no later ones (CONF-249)', async () => {
    const world = await openProject('Bash(touch made)')
    const path = join(world.cwd, '.pipe/config.json')
    expectRun(await world.pipe(['trust']), { stdout: `trusted: ${world.cwd}\nallowed: Bash(touch made)\n` })
    expect(await told(world, 'touch made')).toBe('tool: (no output)')
    await propose(world, 'Bash(touch made)', 'Bash')
    expect(await told(world, 'touch more')).toContain('Permission denied')
    world.server.reply(say('hi'))
    expectRun(await world.pipe(['hi']), { stdout: 'hi\n', stderr: ignored(path) })
    expect(existsSync(join(world.cwd, 'more'))).toBe(false)
  })

  it.skipIf(!hasTerminal)('shows the rules on a terminal and asks before it approves them', async () => {
    const world = await openProject('Bash(touch made)', 'Bash')
    const screen = await openTerminal(world, 'pipe trust; echo code $?; pipe trust; echo code $?')
    const question = /would allow without asking:\s+Bash\(touch made\)\s+Bash\s+Trust it\? \[y\/N\]/
    await screen.until(question)
    expect(existsSync(join(world.home, 'trust.json'))).toBe(false)
    await screen.line('')
    await screen.until(/nothing was changed\s+code 55[\s\S]*\[y\/N\]/)
    await screen.line('y')
    await screen.until(/trusted: [\s\S]*allowed: Bash\s+code 0/)
    expect(await told(world, 'touch made')).toBe('tool: (no output)')
  })

  it('approves nothing if a rule cannot be read', async () => {
    const world = await openProject('Bash(', 'Bash')
    expectRun(await world.pipe(['trust']), { code: 52, stdout: '', stderr: complaint('cannot be read') })
    expect(existsSync(join(world.home, 'trust.json'))).toBe(false)
  })
})

it('--trust approves no rules', async () => {
  const world = await openProject('Bash')
  expect(await told(world, 'touch made', '--trust')).toContain('Permission denied')
  expect(existsSync(join(world.cwd, 'made'))).toBe(false)
})

describe('the terminal UI', () => {
  const size = { columns: 100, rows: 30 }
  const question =
    /━ Use this folder\?[\s\S]*l {2}not now[\s\S]*y {2}yes, I trust it[\s\S]*n {2}no, and do not ask again/

  it('asks once, before the first request, and keeps the decision', async () => {
    const world = await openProject('Bash(touch made)')
    world.server.reply(
      use(['bash', { command: 'touch made' }], ['bash', { command: 'git status --porcelain' }]),
      say('Made.'),
      say('Again.'),
    )
    const screen = await openPrompt(world, size)
    await screen.until(/New folder: pipe will ask whether you trust it/)
    screen.type('make it\r')
    await screen.until(question)
    await screen.until(/1: Bash\(touch made\)[\s\S]*❯/)
    expect(world.server.requests).toEqual([])
    screen.type('y')
    await screen.until(/trusted: [\s\S]*▌ make it[\s\S]*Made\.\n\n─+\n›/)
    expect(existsSync(join(world.cwd, 'made'))).toBe(true)
    expect(world.server.requests.map(({ body }) => lastText(body))[1]).toBe('tool: ?? .pipe/\n?? made')
    screen.type('\u0004')
    await screen.ended
    const next = await openPrompt(world, size)
    next.type('again\r')
    await next.until(/▌ again[\s\S]*Again\./)
    expect(next.history()).not.toContain('trusted')
  })

  it('puts the prompt back on Esc, and sends it without trust on Enter', async () => {
    const world = await openProject()
    world.server.reply(use(['bash', { command: 'git status' }]), say('Later then.'))
    const screen = await openPrompt(world, size)
    screen.type('look')
    await screen.until(/› look/)
    screen.type('\r')
    await screen.until(question)
    screen.type('\u001b')
    await screen.until(/› look\n─+\nask/)
    expect(world.server.requests).toEqual([])
    screen.type('\r')
    await screen.until(/❯ l {2}not now/)
    screen.type('\r')
    await screen.until(/not trusted for now[\s\S]*Run this command\?[\s\S]*folder is not trusted[\s\S]*❯/)
    screen.type('n')
    await screen.until(/Later then\./)
    expect(existsSync(join(world.home, 'trust.json'))).toBe(false)
  })

  it.skipIf(!hasTerminal)('asks line by line on a dumb terminal', async () => {
    const world = await openProject()
    world.server.reply(use(['bash', { command: 'git status --porcelain' }]), say('Clean.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('look')
    await terminal.until(/Use this folder\?[\s\S]*2 Yes, I trust it[\s\S]*>$/)
    await terminal.line('y')
    await terminal.until(/pipe: trusted: [\s\S]*Clean\.\n>$/)
  })

  it('does not ask in a folder for which trust makes no difference', async () => {
    const world = await openWorld()
    world.server.reply(say('Hello.'))
    const screen = await openPrompt(world, size)
    screen.type('hi\r')
    await screen.until(/▌ hi[\s\S]*Hello\./)
  })
})
