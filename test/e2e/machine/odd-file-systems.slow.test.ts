import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

/** A world whose home and project are on a file system that gives every file the mode 0777, as mounted Windows disks do. */
async function openForced(skip: (why: string) => never, ...options: readonly string[]): Promise<World> {
  if (!existsSync('/usr/bin/bindfs') || !existsSync('/dev/fuse')) return skip('bindfs is not installed')
  const world = await openWorld()
  for (const folder of [world.home, world.cwd]) {
    const source = `${folder}.real`
    await rename(folder, source)
    await mkdir(folder)
    try {
      execFileSync('bindfs', ['-p', '0777', ...options, source, folder], { stdio: 'ignore' })
    } catch {
      return skip('nothing may be mounted here')
    }
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  }
  return world
}

describe.each([
  // Git makes no repository there.
  { kind: 'refuses modes', option: '--chmod-deny', undo: false },
  { kind: 'ignores modes', option: '--chmod-ignore', undo: true },
])('a file system that $kind', ({ option, undo }) => {
  it('takes edits, sessions, keys and undo, and one line warns', async ({ skip }) => {
    const world = await openForced(skip, option)
    const { server, pipe, home, put, shell } = world
    const edit = { path: 'a.txt', old_text: 'one', new_text: 'two' }
    await put('a.txt', 'one\n')
    server.reply(use(['read', { path: 'a.txt' }]), use(['edit', edit]), say('Done.'), say('Again.'))
    const told = (run: { readonly stderr: string }) => run.stderr.match(/other users can read your [a-z, ]+/g)
    const first = await pipe(['--permission-mode', 'accept-edits', 'go'])
    expect([first.code, first.stdout, told(first)]).toEqual([
      ...[0, 'Done.\n'],
      ['other users can read your sessions '],
    ])
    const second = await pipe(['-c', 'go on'])
    expectRun(second, {
      stdout: 'Again.\n',
      stderr: complaint('other users can read your sessions, audit logs'),
    })
    expect(statSync(join(home, 'sessions')).mode & 0o777).toBe(0o777)
    expectRun(await pipe(['auth', 'set', 'openai'], { input: 'sk-a-key-of-many-letters\n' }), {
      stdout: expect.stringContaining('is stored in'),
      stderr: complaint('other users can read your keys, sessions, audit logs'),
    })
    expect((await shell('cat a.txt')).stdout).toBe('two\n')
    if (!undo) return expect(first.stderr).toContain('changes here cannot be undone: git init')
    expect((await pipe(['undo'])).code).toBe(0)
    expect((await shell('cat a.txt')).stdout).toBe('one\n')
  })

  it('is named by the doctor, with what helps', async ({ skip }) => {
    const world = await openForced(skip, option)
    await mkdir(join(world.home, 'sessions'))
    const { stdout } = await world.pipe(['doctor', '--json'])
    const { checks } = JSON.parse(stdout)
    expect(checks.find(({ name }: { readonly name: string }) => name === 'sessions')).toMatchObject({
      text: expect.stringContaining('is open to others (777)'),
      remedy: 'the file system there cannot restrict permissions: set PIPE_HOME to a folder elsewhere',
    })
  })
})
