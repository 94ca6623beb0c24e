import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listing } from './project.ts'
import { commitAll, openWorktreeProject, options } from './worktree-project.ts'

/** Runs shell lines in a folder, with the git of the user. */
function sh(cwd: string, script: string): string {
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('sh', ['-c', script.replaceAll('git commit', `git ${who.join(' ')} commit`)], {
    cwd,
    env,
    encoding: 'utf8',
  })
}

describe('a new worktree', () => {
  it('holds committed, uncommitted and untracked files, and none that are ignored', async () => {
    const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', '.gitignore': 'out\n*.log\n', 'kept.log': 'k\n' }
    const script = `git init -q; git add -A; git add -f kept.log; git commit -qm one
      echo changed > a.txt; rm b.txt; echo staged > d.txt; git add d.txt; echo new > 'e f.txt'; mkdir out; echo o > out/o; echo l > x.log`
    const { root, worktrees } = await openWorktreeProject({ files, script })
    const made = await worktrees.create('one', options)
    const { '.git': _, ...found } = listing(made.cwd)
    expect(found).toEqual({
      '.gitignore': '644 "out\\n*.log\\n"',
      'a.txt': '644 "changed\\n"',
      'c.txt': '644 "c\\n"',
      'd.txt': '644 "staged\\n"',
      'e f.txt': '644 "new\\n"',
      'kept.log': '644 "k\\n"',
    })
    expect(sh(made.cwd, 'git status --porcelain; git rev-parse HEAD').trim()).toBe(made.base)
    expect(sh(root, `git rev-parse ${made.base}^`)).toBe(sh(root, 'git rev-parse HEAD'))
  })

  it('changes nothing of the user: not the files, the index, HEAD, the stash or the branches', async () => {
    const { root, worktrees, run, list } = await openWorktreeProject()
    run('echo more >> a.txt; echo s > s; git add s; git stash -q; echo more >> a.txt; echo t > t; git add t; echo u > u')
    const state = () => [
      list(),
      readFileSync(join(root, '.git', 'index')).toString('hex'),
      run('git status --porcelain; git symbolic-ref HEAD; git for-each-ref refs/heads refs/stash refs/tags'),
    ]
    const before = state()
    const made = await worktrees.create('one', options)
    await made.save(options)
    await made.remove()
    await worktrees.discard('one', options)
    const [files, index, said] = state()
    const own = (all: unknown) => Object.entries(all ?? {}).filter(([name]) => !name.startsWith('.git/'))
    expect([own(files), index, said]).toEqual([own(before[0]), ...before.slice(1)])
    expect(run('git for-each-ref refs/pipe; git worktree list').trim().split('\n')).toHaveLength(1)
    expect(existsSync(join(root, '.git', 'worktrees'))).toBe(false)
  })
})
