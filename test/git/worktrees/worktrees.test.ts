import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { listing } from '../project.ts'
import { openWorktreeProject, options, sh } from '../worktree-project.ts'

describe('a new worktree', () => {
  it('holds committed, uncommitted and untracked files, and none that are ignored', async () => {
    const files = {
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'c.txt': 'c\n',
      '.gitignore': 'out\n*.log\n',
      'kept.log': 'k\n',
    }
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
    run(
      'echo more >> a.txt; echo s > s; git add s; git stash -q; echo more >> a.txt; echo t > t; git add t; echo u > u',
    )
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

  it('stands for the subfolder that the user works in', async () => {
    const files = { 'a.txt': 'a\n', 'sub/b.txt': 'b\n' }
    const { worktrees } = await openWorktreeProject({ files, cwd: 'sub' })
    const made = await worktrees.create('one', options)
    expect(Object.keys(listing(made.cwd))).toEqual(['b.txt'])
    expect(readFileSync(join(made.cwd, '..', 'a.txt'), 'utf8')).toBe('a\n')
  })

  slowIt('of an empty subfolder has that folder too', async () => {
    const { worktrees } = await openWorktreeProject({ cwd: 'new/deep' })
    const made = await worktrees.create('one', options)
    expect(statSync(made.cwd).isDirectory()).toBe(true)
  })

  slowIt('works before the first commit', async () => {
    const { worktrees } = await openWorktreeProject({ script: 'git init -q' })
    const made = await worktrees.create('one', options)
    expect(sh(made.cwd, 'git log --format=%P; git status --porcelain')).toBe('\n')
    writeFileSync(join(made.cwd, 'a.txt'), 'new\n')
    expect((await made.diff(options)).files).toEqual([{ path: 'a.txt', added: 1, removed: 5 }])
  })

  it('begins with another commit if one is given', async () => {
    const { run, worktrees } = await openWorktreeProject()
    run('echo two > a.txt; git commit -qam two; echo three > a.txt')
    const made = await worktrees.create('one', { ...options, base: 'HEAD' })
    expect(readFileSync(join(made.cwd, 'a.txt'), 'utf8')).toBe('two\n')
    expect(made.base).toBe(run('git rev-parse HEAD').trim())
    const creating = worktrees.create('two', { ...options, base: '--help' })
    await expect(creating).rejects.toMatchObject({ code: 'input' })
  })
  slowIt('lets those who share the repository write there', async () => {
    const { root, worktrees } = await openWorktreeProject({
      script: 'git init -q --shared=group; git add -A; git commit -qm one; echo new > b.txt',
    })
    await worktrees.create('one', options)
    const objects = join(root, '.git', 'objects')
    const folders = readdirSync(objects).filter((name) => name.length === 2)
    expect(folders.filter((name) => (statSync(join(objects, name)).mode & 0o070) !== 0o070)).toEqual([])
  })
  it('is refused for an id that is taken, or that is no id', async () => {
    const { worktrees } = await openWorktreeProject()
    await worktrees.create('one', options)
    await expect(worktrees.create('one', options)).rejects.toMatchObject({ code: 'conflict' })
    await expect(worktrees.create('../one', options)).rejects.toMatchObject({ code: 'input' })
  })

  it('is private, and made again where an attempt was cut short', async () => {
    const { cache, worktrees } = await openWorktreeProject()
    mkdirSync(join(cache, 'elves', 'one', 'tree', 'project'), { recursive: true })
    const made = await worktrees.create('one', options)
    expect(readFileSync(join(made.cwd, 'a.txt'), 'utf8')).toMatch(/^one/)
    expect(statSync(join(cache, 'elves', 'one', 'tree')).mode & 0o077).toBe(0)
  })

  it('leaves nothing behind if it is interrupted', async () => {
    const { cache, worktrees, run } = await openWorktreeProject()
    const creating = worktrees.create('one', { signal: AbortSignal.abort() })
    await expect(creating).rejects.toMatchObject({ code: 'aborted' })
    expect(existsSync(join(cache, 'elves', 'one'))).toBe(false)
    expect(run('git worktree list').trim().split('\n')).toHaveLength(1)
  })
  slowIt('can be made in a worktree of the user', async () => {
    const { root, run, open } = await openWorktreeProject()
    run('git worktree add -q ../other')
    writeFileSync(join(root, '..', 'other', 'new'), 'n\n')
    const made = await open({ cwd: join(root, '..', 'other') }).create('one', options)
    expect(Object.keys(listing(made.cwd))).toEqual(['.git', 'a.txt', 'new'])
  })

  it('is refused in a git folder, and in a project that holds the home folder', async () => {
    const { root, open } = await openWorktreeProject()
    const inside = open({ cwd: join(root, '.git', 'refs') }).create('one', options)
    await expect(inside).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining('git folder'),
    })
    const home = open({ home: join(root, 'home') }).create('one', options)
    await expect(home).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining('home folder'),
    })
  })
})

quickDescribe('a copy of a folder outside of git', () => {
  it('has its own diff, and its work is merged back', async () => {
    const { root, worktrees } = await openWorktreeProject({ script: 'true' })
    const made = await worktrees.create('one', options)
    expect(Object.keys(listing(made.cwd))).toEqual(['a.txt'])
    writeFileSync(join(made.cwd, 'b.txt'), 'b\n')
    expect(await made.diff(options)).toEqual({
      text: expect.stringContaining('+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n'),
      files: [{ path: 'b.txt', added: 1, removed: 0 }],
    })
    await made.remove()
    expect((await worktrees.apply('one', options)).applied).toEqual(['b.txt'])
    expect(Object.keys(listing(root))).toEqual(['a.txt', 'b.txt'])
    await worktrees.discard('one', options)
    await expect(worktrees.diff('one', options)).rejects.toMatchObject({ code: 'not_found' })
  })
})

quickDescribe('saved work', () => {
  it('is saved once, also what the agent committed itself, and a new .gitignore counts', async () => {
    const { worktrees, run } = await openWorktreeProject()
    const made = await worktrees.create('one', options)
    expect(await made.save(options)).toBe(false)
    sh(
      made.cwd,
      'echo b > b.txt; git add b.txt; git commit -qm mine; echo c > c.txt; echo d > d; echo d > .gitignore',
    )
    expect(await made.save(options)).toBe(true)
    expect(await made.save(options)).toBe(false)
    const shown = run(
      `git diff --name-only ${made.base} refs/pipe/elves/one; git rev-parse refs/pipe/elves/one^`,
    )
    expect(shown).toBe(`.gitignore\nb.txt\nc.txt\n${made.base}\n`)
  })

  it('is saved with the files of repositories that it made, and names once what cannot be saved', async () => {
    const { worktrees, warnings } = await openWorktreeProject()
    const made = await worktrees.create('one', options)
    sh(
      made.cwd,
      'git init -q lib; echo 1 > lib/r.csv; git -C lib add .; git -C lib commit -qm one; git init -q none; dd if=/dev/null of=large.bin bs=1 seek=110000000 2>/dev/null',
    )
    expect((await made.diff(options)).files).toEqual([{ path: 'lib/r.csv', added: 1, removed: 0 }])
    await made.save(options)
    expect(warnings).toEqual([
      `the saved work of one cannot hold large.bin, the commits in lib/, the commits in none/: pipe removes them with the folder ${made.cwd}`,
    ])
    expect((await worktrees.apply('one', options)).applied).toEqual(['lib/r.csv'])
  })

  it('outlives its folder, and opens again with the same files', async () => {
    const { worktrees, open, run } = await openWorktreeProject()
    const made = await worktrees.create('one', options)
    sh(made.cwd, 'echo b > b.txt; rm a.txt; ln -s b.txt c; chmod +x b.txt')
    const before = listing(made.cwd)
    await made.save(options)
    await made.remove()
    expect(existsSync(made.cwd)).toBe(false)
    expect((await worktrees.diff('one', options)).files.map(({ path }) => path)).toEqual([
      'a.txt',
      'b.txt',
      'c',
    ])
    const again = await open().open('one', options)
    expect(listing(again.cwd)).toEqual(before)
    expect([again.base, again.ref, again.cwd]).toEqual([made.base, made.ref, made.cwd])
    expect(await again.save(options)).toBe(false)
    expect(run('git worktree list').trim().split('\n')).toHaveLength(2)
    expect(sh(again.cwd, 'git diff --name-only HEAD')).toBe('a.txt\nb.txt\nc\n')
  })

  it('opens with unsaved files while the folder is there, and from the start if nothing was saved', async () => {
    const { worktrees } = await openWorktreeProject()
    const made = await worktrees.create('one', options)
    writeFileSync(join(made.cwd, 'b'), 'b\n')
    expect(Object.keys(listing((await worktrees.open('one', options)).cwd))).toContain('b')
    await made.remove()
    expect(Object.keys(listing((await worktrees.open('one', options)).cwd))).toEqual(['.git', 'a.txt'])
  })

  it('that never was is not found', async () => {
    const { worktrees } = await openWorktreeProject()
    for (const ask of ['open', 'diff', 'apply', 'bundle'] as const)
      await expect(worktrees[ask]('one', options)).rejects.toMatchObject({ code: 'not_found' })
    await worktrees.discard('one', options)
  })
  it('is not taken for a deletion of everything once the folder is gone', async () => {
    const { worktrees } = await openWorktreeProject()
    const made = await worktrees.create('one', options)
    rmSync(made.cwd, { recursive: true })
    await expect(made.save(options)).rejects.toMatchObject({ code: 'tool' })
  })
})
