import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outlineRequest, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

interface Repository extends World {
  git(...args: readonly string[]): string
}

/** Opens a world whose project is a repository with one commit. */
async function openRepository(): Promise<Repository> {
  const world = await openWorld()
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], {
      cwd: world.cwd,
      env: { ...world.env, GIT_CONFIG_GLOBAL: '/dev/null' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  await mkdir(join(world.cwd, 'sub'))
  await world.put('a.txt', 'one\r\n')
  await world.put('sub/b.txt', 'two\n')
  await world.put('.gitignore', 'built\n')
  git('init', '-b', 'main')
  git('add', '.')
  git('commit', '-m', 'first')
  return { ...world, git }
}

const write = use(['write', { path: 'new.txt', content: 'x' }])

describe('--worktree', () => {
  it('works in a folder of its own on a branch of its own, which stay with the changes', async () => {
    const world = await openRepository()
    const root = join(world.cwd, '.worktrees/fix')
    world.server.reply(write, say('Done.'))
    expectRun(await world.pipe(['-w', 'fix', '--permission-mode', 'acceptEdits', 'do it']), {
      stdout: 'Done.\n',
      stderr: complaint(
        `the worktree has the changes: ${root}, on the branch worktree-fix. To continue there: pipe -w fix -c. To delete it: git worktree remove --force ${root}; git branch -D worktree-fix`,
      ),
    })
    const [request] = world.server.requests
    expect(request && outlineRequest(request.body).join('\n')).toContain(`working directory: ${root}\n`)
    expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('x')
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\r\n')
    expect(existsSync(join(world.cwd, 'new.txt'))).toBe(false)
    expect(world.git('status', '--porcelain')).toBe('')
    expect(world.git('-C', root, 'status', '--porcelain', '--branch')).toBe('## worktree-fix\n?? new.txt')
    world.server.reply(say('Going on.'))
    const again = await world.pipe(['-q', '-w', 'fix', '-c', 'go on'])
    expectRun(again, { stdout: 'Going on.\n' })
    expect(world.server.requests.at(-1)?.body.messages.length).toBeGreaterThan(4)
    expect(existsSync(join(root, 'new.txt'))).toBe(true)
  })

  it('sees the paths of other flags from where the user stands, not from the worktree', async () => {
    const world = await openRepository()
    const untracked = {
      'sub/schema.json': '{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}',
      'sub/system.txt': 'You are terse.',
      'sub/more.txt': 'Say please.',
      'sub/notes.txt': 'buy milk',
      'sub/settings.json': '{"skills":false}',
      'sub/servers.json': '{"mcpServers":{}}',
      'sub/agents.json': '{"looker":{"description":"Looks","prompt":"Look."}}',
      'sub/plug/.claude-plugin/plugin.json': '{"name":"plug"}',
    }
    for (const [name, text] of Object.entries(untracked)) await world.put(name, text)
    world.server.reply(say('{"name":"Ann"}'))
    const flags = [
      ...['--json-schema', 'schema.json', '--system-prompt-file', 'system.txt', '-f', 'notes.txt'],
      ...['--append-system-prompt-file', 'more.txt', '--settings', 'settings.json'],
      ...['--mcp-config', 'servers.json', '--record', 'made.json'],
      ...['--agents', 'agents.json', '--plugin-dir', 'plug'],
    ]
    const run = await world.pipe(['-C', 'sub', '-w', 'x', ...flags, '--', 'who?'])
    expectRun(run, { stdout: '{"name":"Ann"}\n' })
    const sent = JSON.stringify(world.server.requests[0]?.body)
    for (const text of ['You are terse.', 'Say please.', 'buy milk', `${world.cwd}/.worktrees/x/sub`])
      expect(sent).toContain(text)
    expect(existsSync(join(world.cwd, 'sub/made.json'))).toBe(true)
    world.server.reply(say('a'))
    const each = ['--each', '--failed', 'rest', '--resume-map', 'map', '--', '{}']
    expectRun(await world.pipe(['-C', 'sub', '-w', 'x', ...each], { input: '1\n' }), { stdout: 'a\n' })
    expect(['rest', 'map'].map((name) => existsSync(join(world.cwd, 'sub', name)))).toEqual([true, true])
  })

  it('goes with its branch if nothing changed', async () => {
    const world = await openRepository()
    world.server.reply(use(['bash', { command: 'git status --porcelain' }]), say('Looked.'))
    expectRun(await world.pipe(['--worktree', '--yolo', 'look around']), { stdout: 'Looked.\n' })
    const asked = world.server.requests[1]
    expect(asked && outlineRequest(asked.body).at(-1)).not.toMatch(/[?M] /)
    expect([
      existsSync(join(world.cwd, '.worktrees')),
      world.git('branch'),
      world.git('worktree', 'prune', '-v'),
    ]).toEqual([false, '* main', ''])
    expect(readdirSync(join(world.cwd, '.git'))).not.toContain('worktrees')
  })

  it.each([
    ['an ignored file', 'mkdir data; echo 1 > data/built', 'data/built'],
    ['a repository of its own', 'git init -q lib; echo 1 > lib/r.csv', 'lib/r.csv'],
    ['a file above the limit', 'dd if=/dev/null of=large.bin bs=1 seek=110000000', 'large.bin'],
  ])('stays with %s that the run made', async (_what, command, made) => {
    const world = await openRepository()
    world.server.reply(use(['bash', { command }]), say('Done.'))
    const run = await world.pipe(['-w', 'x', '--yolo', 'make it'])
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(run.stderr).toContain('the worktree has the changes')
    expect(existsSync(join(world.cwd, '.worktrees/x', made))).toBe(true)
  })

  it('keeps commits, and begins in the subfolder that the user is in', async () => {
    const world = await openRepository()
    const commit = 'git -c user.name=n -c user.email=e commit -q --allow-empty -m work'
    world.server.reply(use(['bash', { command: `pwd; ${commit}` }]), say('Done.'))
    const run = await world.pipe(['-C', 'sub', '-w', 'c', '--yolo', 'commit'])
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(run.stderr).toContain('the worktree has the changes')
    const asked = world.server.requests[1]
    expect(asked && outlineRequest(asked.body).at(-1)).toContain(`${world.cwd}/.worktrees/c/sub`)
    expect(world.git('log', '--format=%s', 'worktree-c')).toBe('work\nfirst')
  })

  it('runs nothing that the repository configures', async () => {
    const world = await openRepository()
    const trap = (name: string) => `touch ${join(world.temp, name)}`
    await writeFile(join(world.cwd, '.git/hooks/post-checkout'), `#!/bin/sh\n${trap('hook')}\n`, {
      mode: 0o755,
    })
    world.git('config', 'filter.t.smudge', `${trap('smudge')}; cat`)
    world.git('config', 'filter.t.clean', `${trap('clean')}; cat`)
    world.git('config', 'core.fsmonitor', trap('monitor'))
    await writeFile(join(world.cwd, '.git/info/attributes'), '* filter=t\n')
    world.server.reply(say('Done.'))
    expectRun(await world.pipe(['-w', 'x', 'go']), { stdout: 'Done.\n' })
    expect(readdirSync(world.temp).filter((name) => /hook|smudge|clean|monitor/.test(name))).toEqual([])
    expect(world.git('-c', 'core.fsmonitor=false', 'branch')).toBe('* main')
  })

  it('is refused where it cannot be made', async () => {
    const world = await openRepository()
    await mkdir(join(world.cwd, '.worktrees/own'), { recursive: true })
    world.git('branch', 'worktree-used')
    world.git('worktree', 'add', join(world.temp, 'other'), 'worktree-used')
    const refused = async (name: string, code: number, message: RegExp) =>
      expectRun(await world.pipe([`--worktree=${name}`, 'go']), {
        code,
        stdout: '',
        stderr: complaint(message),
      })
    await refused(
      'own',
      42,
      /\.worktrees\/own exists and is not a worktree of this repository: choose another/,
    )
    await refused('used', 42, /the branch worktree-used is in use in .*\/other: choose another name/)
    await refused('../x', 2, /--worktree takes a name of letters, digits/)
    const outside = await openWorld()
    expectRun(await outside.pipe(['-w', 'x', 'go']), {
      code: 42,
      stdout: '',
      stderr: complaint(/a worktree needs a git repository/),
    })
    await symlink(outside.temp, join(outside.cwd, '.worktrees'))
    execFileSync('git', ['init', '-q'], { cwd: outside.cwd })
    execFileSync(
      'git',
      ['-c', 'user.name=n', '-c', 'user.email=e', 'commit', '-q', '--allow-empty', '-m', 'x'],
      {
        cwd: outside.cwd,
      },
    )
    expectRun(await outside.pipe(['-w', 'x', 'go']), {
      code: 42,
      stdout: '',
      stderr: complaint(/\.worktrees is a link: remove it/),
    })
  })

  it('is prepared by the setting worktree.setup, whose ignored files do not keep it unless they change', async () => {
    const world = await openRepository()
    await world.configure({
      model: 'fake/model-1',
      providers: { fake: { base_url: world.server.baseUrl } },
      worktree: { setup: 'mkdir built; echo ready > built/a' },
    })
    world.server.reply(use(['read', { path: 'built/a' }]), say('Ready.'))
    expectRun(await world.pipe(['-w', 'x', 'go']), { stdout: 'Ready.\n' })
    const asked = world.server.requests[1]
    expect(asked && outlineRequest(asked.body).at(-1)).toContain('ready')
    expect(existsSync(join(world.cwd, '.worktrees'))).toBe(false)
    world.server.reply(use(['bash', { command: 'echo more > built/b' }]), say('Built.'))
    const built = await world.pipe(['-w', 'x', '--yolo', 'build'])
    expect(built.stderr).toContain('the worktree has the changes')
    expect(readFileSync(join(world.cwd, '.worktrees/x/built/b'), 'utf8')).toBe('more\n')
  })
})
