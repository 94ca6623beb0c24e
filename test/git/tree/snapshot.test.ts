import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { listing, openProject, patientLimits, turn } from '../project.ts'
import { id, repository, signal } from './snapshot-setup.ts'

describe('the repository of the project', () => {
  it('is untouched: index, stash, refs, HEAD and everything else stay byte for byte', async () => {
    const { root, run, shadow, checkpoints } = await repository()
    const git = () => listing(join(root, '.git'))
    const before = git()
    await turn(checkpoints(), 'edit', () => run('echo 2 >> a.txt; rm b.txt; echo new > new.txt'))
    await undoTurn(shadow, { signal })
    expect(git()).toEqual(before)
    expect(run('git status --porcelain; git stash list').split('\n')).toEqual([
      'MM b.txt',
      expect.stringMatching(/^stash@\{0\}: /),
      '',
    ])
  })

  slowIt('may be a worktree of another, or a submodule', async () => {
    const { list, root, run, checkpoints, shadow } = await openProject({
      files: { '.git': 'gitdir: /nowhere\n', a: '1' },
    })
    const before = list()
    await turn(checkpoints(), 'edit', () => run('echo 2 > a'))
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
    expect(readFileSync(join(root, '.git'), 'utf8')).toBe('gitdir: /nowhere\n')
  })
  slowIt('keeps its files unchanged, including Git LFS pointers', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'
    const { list, run, shadow, checkpoints } = await openProject({
      files: {
        '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
        'a.bin': '\0real\r\n',
        'b.bin': pointer,
      },
    })
    const before = list()
    await turn(checkpoints(), 'edit', () => run('rm a.bin; echo x >> b.bin'))
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })
})

describe('an ignored file', () => {
  it('is neither saved nor touched, whether .gitignore or .git/info/exclude lists it', async () => {
    const { root, run, shadow, checkpoints } = await repository()
    await turn(checkpoints(), 'build', () =>
      run('echo 2 > my.log; rm build/out; echo 2 > build/new; rm private.txt; echo x > x'),
    )
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: [], removed: ['x'], broughtBack: [] })
    expect(listing(root)).toMatchObject({ 'my.log': '644 "2\\n"', 'build/new': '644 "2\\n"' })
  })
  it('does not hide other files, even if its folder holds only ignored ones', async () => {
    const { list, run, shadow, checkpoints } = await openProject({
      files: {
        '.gitignore': '*.log\nnode_modules/\n',
        's/my.log': 'mine',
        's/deep/er/x.log': 'mine',
        'pkg/node_modules/x/i.js': 'theirs',
        'node_modules/y/i.js': 'theirs',
      },
    })
    const before = list()
    const act =
      'echo x | tee s/new s/deep/er/new pkg/new pkg/more.log s/new.log node_modules/y/new; mkdir s/e'
    await turn(checkpoints(), 'make', () => run(act))
    expect(await undoTurn(shadow, { signal })).toMatchObject({
      removed: ['pkg/new', 's/deep/er/new', 's/e/', 's/new'],
    })
    const made = {
      'pkg/more.log': '644 "x\\n"',
      's/new.log': '644 "x\\n"',
      'node_modules/y/new': '644 "x\\n"',
    }
    expect(list()).toEqual({ ...before, ...made })
  })

  slowIt('may be in a nested repository that the turn makes a plain folder', async () => {
    const { root, run, list, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    run('git init -q nested; echo x > nested/x; echo "*.log" > nested/.gitignore; echo x > nested/x.log')
    const before = list()
    await turn(checkpoints(), 'flatten', () =>
      run(
        'mv nested/.git ../git; rm nested/.gitignore; echo y > nested/x; echo 2 > a; echo y > nested/x.log',
      ),
    )
    await undoTurn(shadow, { signal })
    run('mv ../git nested/.git')
    expect(list()).toEqual({ ...before, 'nested/x.log': '644 "y\\n"' })
    expect(readFileSync(join(root, 'nested/x'), 'utf8')).toBe('x\n')
  })
})
quickDescribe('a file left out', () => {
  const limits = { ...patientLimits, fileBytes: 100 }

  it('is noted once and not touched, whatever the turn does to it', async () => {
    const { root, list, run, put, shadow, checkpoints } = await openProject({
      files: { a: '1', large: 'x'.repeat(101) },
    })
    const session = checkpoints({ limits })
    const notes = ['not saved for undo, too large or unreadable: large']
    const saved = [
      { id, notes },
      { id, notes: ['changed, but not saved for undo: large'], unsaved: 'large' },
    ]
    expect(await turn(session, 'shrink', () => run('echo 2 > a; echo small > large'))).toEqual(saved)
    await undoTurn(shadow, { signal })
    expect(list()).toEqual({ a: '644 "1"', large: '644 "small\\n"' })
    put('large', 'x'.repeat(101))
    const gone = { notes: ['changed, but not saved for undo: large'], unsaved: 'large' }
    expect(await turn(session, 'remove', () => rmSync(join(root, 'large')))).toEqual([
      { id, notes: [] },
      { id, ...gone, notes: [] },
    ])
    expect(list()).toEqual({ a: '644 "1"' })
  })
  it.skipIf(process.getuid?.() === 0)('may be unreadable', async () => {
    const { root, checkpoints, run } = await openProject({ files: { a: '1', closed: 'x' } })
    chmodSync(join(root, 'closed'), 0)
    const [saved] = await turn(checkpoints(), 'go', () => run('rm a'))
    expect(saved?.notes).toEqual(['not saved for undo, too large or unreadable: closed'])
  })
})
