import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listing, never } from '../project.ts'
import { openWorktreeProject, options, sh } from '../worktree-project.ts'

describe('a new worktree', () => {
  it('can be made eight times at once, by several openings of one project', async () => {
    const { run, open } = await openWorktreeProject()
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const made = await Promise.all(ids.map((id) => open().create(id, { signal: never() })))
    expect(new Set(made.map(({ cwd }) => cwd)).size).toBe(8)
    for (const one of made) expect(sh(one.cwd, 'git status --porcelain')).toBe('')
    await Promise.all(
      made.map(async (one, i) => {
        writeFileSync(join(one.cwd, 'a.txt'), `${i}\n`)
        await one.save({ signal: never() })
        await one.remove()
      }),
    )
    expect(run('git for-each-ref --format="%(refname)" refs/pipe/elves').trim().split('\n')).toHaveLength(8)
    expect(run('git worktree list').trim().split('\n')).toHaveLength(1)
  })

  it('does not depend on objects that git has collected since the last one', async () => {
    const { root, worktrees, run, put } = await openWorktreeProject()
    put('big/new.txt', 'new\n')
    await worktrees.create('one', options)
    await worktrees.discard('one', options)
    run('git gc -q --prune=now')
    const made = await worktrees.create('two', options)
    writeFileSync(join(made.cwd, 'b.txt'), 'b\n')
    run('git gc -q --prune=now')
    await made.save(options)
    run('git gc -q --prune=now')
    expect(readFileSync(join(made.cwd, 'big', 'new.txt'), 'utf8')).toBe('new\n')
    expect((await worktrees.apply('two', options)).applied).toEqual(['b.txt'])
    expect(sh(root, 'git fsck 2>&1 | grep -v dangling || true')).toBe('')
  })

  it.each([
    ['with ids of SHA-256', 'git init -q --object-format=sha256; git add -A; git commit -qm one'],
    [
      'that is a shallow clone',
      'git init -q ../up; echo old > ../up/a.txt; git -C ../up add -A; git -C ../up commit -qm one; git -C ../up commit -qm two --allow-empty; rm a.txt; git clone -q --depth 1 file://$PWD/../up .',
    ],
    [
      'in the middle of a merge',
      'git init -q -b main; git add -A; git commit -qm one; git checkout -qb other; echo x > a.txt; git commit -qam x; git checkout -q main; echo y > a.txt; git commit -qam y; git merge -q other >/dev/null || true',
    ],
    [
      'with a sparse checkout',
      'mkdir d; echo d > d/d; git init -q; git add -A; git commit -qm one; git sparse-checkout set --cone nothing 2>/dev/null',
    ],
  ])('works in a repository %s', async (_, script) => {
    const { root, worktrees, run } = await openWorktreeProject({ script })
    const status = run('git status --porcelain')
    const made = await worktrees.create('one', options)
    expect(readFileSync(join(made.cwd, 'a.txt'), 'utf8')).toBe(readFileSync(join(root, 'a.txt'), 'utf8'))
    writeFileSync(join(made.cwd, 'b.txt'), 'b\n')
    expect((await made.diff(options)).files).toEqual([{ path: 'b.txt', added: 1, removed: 0 }])
    expect((await worktrees.apply('one', options)).applied).toEqual(['b.txt'])
    await worktrees.bundle('one', options)
    await worktrees.discard('one', options)
    expect(run('rm b.txt; git status --porcelain')).toBe(status)
  })

  it('leaves submodules alone', async () => {
    const { root, worktrees, run } = await openWorktreeProject()
    run(
      'git init -q sub; cd sub; echo s > s; git add s; git commit -qm s; cd ..; git -c advice.addEmbeddedRepo=false add sub; git commit -qm sub',
    )
    const made = await worktrees.create('one', options)
    expect(listing(join(made.cwd, 'sub'))).toEqual({})
    writeFileSync(join(made.cwd, 'b.txt'), 'b\n')
    expect((await made.diff(options)).files).toEqual([{ path: 'b.txt', added: 1, removed: 0 }])
    expect(run(`git diff --name-only HEAD ${made.ref}`)).toBe('b.txt\n')
    expect((await worktrees.apply('one', options)).applied).toEqual(['b.txt'])
    expect(readFileSync(join(root, 'sub', 's'), 'utf8')).toBe('s\n')
    expect(run('git status --porcelain')).toBe('?? b.txt\n')
  })
})
describe('saved work', () => {
  it('is not mixed up by an agent that moves its .git file or its folder elsewhere', async () => {
    const { root, folder, worktrees, run } = await openWorktreeProject()
    const made = await worktrees.create('one', options)
    sh(folder, 'git init -q evil; git -C evil config core.fsmonitor "touch ../sprung; false"')
    writeFileSync(join(made.cwd, '.git'), `gitdir: ${join(folder, 'evil', '.git')}\n`)
    writeFileSync(join(made.cwd, 'b'), 'b\n')
    expect((await made.diff(options)).files.map(({ path }) => path)).toEqual(['b'])
    expect(run('git for-each-ref refs/pipe/elves')).toContain('refs/pipe/elves/one')
    await worktrees.discard('one', options)
    expect(existsSync(join(folder, 'sprung'))).toBe(false)
    expect(existsSync(join(root, '.git', 'worktrees'))).toBe(false)
    expect(existsSync(join(folder, 'evil', '.git', 'HEAD'))).toBe(true)
  })
})

describe('a sweep', () => {
  const hour = 60 * 60 * 1_000

  it('saves and removes folders of ended processes that nobody used for a day, and keeps the work', async () => {
    const { cache, open, run } = await openWorktreeProject()
    const gone = open({ pid: 999_999_999 })
    const made = [await gone.create('old', options), await gone.create('new', options)]
    const mine = await open().create('mine', options)
    for (const one of made) writeFileSync(join(one.cwd, 'b'), 'b\n')
    const age = (id: string, hours: number) => {
      const at = (Date.now() - hours * hour) / 1_000
      utimesSync(join(cache, 'elves', id, 'worktree.json'), at, at)
    }
    age('old', 25)
    age('new', 23)
    age('mine', 25)
    expect(await open().sweep(options)).toEqual(['old'])
    expect(made.map(({ cwd }) => existsSync(cwd))).toEqual([false, true])
    expect(existsSync(mine.cwd)).toBe(true)
    expect(run('git diff --name-only refs/pipe/elves-base/old refs/pipe/elves/old')).toBe('b\n')
    expect(run('git worktree list').trim().split('\n')).toHaveLength(3)
  })

  it('removes the folder of an ended process at once if its work has ended for good', async () => {
    const { open } = await openWorktreeProject()
    const gone = open({ pid: 999_999_999 })
    for (const id of ['over', 'open']) await gone.create(id, options)
    const mine = await open().create('mine', options)
    const isOver = (id: string) => id !== 'open'
    expect(await open().sweep({ ...options, isOver })).toEqual(['over'])
    expect(existsSync(mine.cwd)).toBe(true)
  })

  it('removes what an interrupted creation left, and folders of a deleted repository', async () => {
    const { root, cache, open } = await openWorktreeProject()
    await open({ pid: 999_999_999 }).create('one', options)
    mkdirSync(join(cache, 'elves', 'half', 'tree'), { recursive: true })
    const old = (Date.now() - 25 * hour) / 1_000
    for (const path of ['one/worktree.json', 'half']) utimesSync(join(cache, 'elves', path), old, old)
    rmSync(join(root, '.git'), { recursive: true })
    expect(await open().sweep(options)).toEqual(['half', 'one'])
    expect(existsSync(join(cache, 'elves', 'one'))).toBe(false)
  })
})
