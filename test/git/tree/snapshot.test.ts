import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { thrown } from '../../support/thrown.ts'
import { listing, never, openProject, patientLimits, turn } from '../project.ts'

const signal = never()
const id = expect.stringMatching(/^[0-9a-f]{40}$/)

/** A repository with something in every corner. */
async function repository() {
  const project = await openProject({
    files: { 'a.txt': 'one\n', 'b.txt': 'b\n', '.gitignore': '*.log\nbuild/\n' },
  })
  project.run(`git init -q -b main . && git add . && git commit -qm first
    echo stashed >> a.txt && git stash -q
    echo staged >> b.txt && git add b.txt && echo more >> b.txt
    echo local-only > private.txt && echo private.txt >> .git/info/exclude
    echo log > my.log; mkdir build; echo built > build/out`)
  return project
}

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

  it('may be a worktree of another, or a submodule', async () => {
    const { list, root, run, checkpoints, shadow } = await openProject({
      files: { '.git': 'gitdir: /nowhere\n', a: '1' },
    })
    const before = list()
    await turn(checkpoints(), 'edit', () => run('echo 2 > a'))
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
    expect(readFileSync(join(root, '.git'), 'utf8')).toBe('gitdir: /nowhere\n')
  })

  it('runs nothing, whatever its configuration (PERM-185)', async () => {
    const { root, run, list, shadow, checkpoints } = await repository()
    run(`
      for name in pre-commit post-checkout post-index-change reference-transaction post-commit pre-auto-gc; do
        printf '#!/bin/sh\\ntouch "%s/../ran-%s"\\n' "$PWD" $name > .git/hooks/$name; chmod +x .git/hooks/$name
      done
      evil() { printf '#!/bin/sh\\ntouch "%s/../ran-%s"\\ncat\\n' "$PWD" $1 > $1.sh; chmod +x $1.sh; echo "$PWD/$1.sh"; }
      git config core.fsmonitor "$(evil fsmonitor)"
      git config diff.external "$(evil external)"
      git config core.pager "$(evil pager)"
      git config core.hooksPath .git/hooks
      git config filter.evil.clean "$(evil clean)"
      git config filter.evil.smudge "$(evil smudge)"
      git config filter.evil.process "$(evil process)"
      git config diff.evil.textconv "$(evil textconv)"
      printf '* filter=evil diff=evil text=auto eol=crlf ident working-tree-encoding=UTF-16\\n' > .gitattributes
      printf '#!/bin/sh\\ntouch "%s/../ran-git"\\n' "$PWD" > git; chmod +x git
      git init -q --bare nested-bare; git -C nested-bare config core.fsmonitor "$PWD/fsmonitor.sh"
      git init -q nested; git -C nested config core.fsmonitor "$PWD/fsmonitor.sh"; echo x > nested/x
      printf '$Id$ one\\r\\ntwo\\n' > a.txt
    `)
    const before = list()
    await turn(checkpoints(), 'edit', () =>
      run('printf "x\\r\\n" >> a.txt; rm -r b.txt .gitattributes; echo new > new.txt'),
    )
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
    expect(readdirSync(join(root, '..')).sort()).toEqual(['project', 'state'])
  })

  it('keeps its files unchanged, including Git LFS pointers', async () => {
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

  it('stays ignored if the turn removes the rule', async () => {
    const { root, list, run, shadow, checkpoints } = await repository()
    const before = list()
    await turn(checkpoints(), 'clean', () =>
      run('rm .gitignore; printf "!private.txt\\n!my.log\\n" > .gitignore; echo log > new.log'),
    )
    expect(await undoTurn(shadow, { signal })).toMatchObject({
      changed: ['.gitignore'],
      removed: ['new.log'],
    })
    expect(list()).toEqual(before)
    expect(readFileSync(join(root, 'build/out'), 'utf8')).toBe('built\n')
  })

  it('is no longer saved once the user ignores it', async () => {
    const { list, run, shadow, checkpoints } = await openProject({ files: { a: '1', secret: 's' } })
    const session = checkpoints()
    await turn(session, 'first', () => run('echo 2 > a'))
    run('echo secret > .gitignore')
    await turn(session, 'second', () => run('echo 3 > a; echo changed > secret'))
    const after = list()
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['a'], removed: [] })
    expect(list()).toEqual({ ...after, a: '644 "2\\n"' })
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

  it('may be in a nested repository that the turn makes a plain folder', async () => {
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

describe('a nested repository', () => {
  it('is saved like any folder, and one without files as well', async () => {
    const { run, list, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    run('git init -q one; echo x > one/x; git init -q one/two; echo y > one/two/y; git init -q empty')
    const before = list()
    await turn(checkpoints(), 'change', () =>
      run('echo 2 > one/x; rm one/two/y; echo z > empty/z; echo new > one/two/new'),
    )
    expect(await undoTurn(shadow, { signal })).toMatchObject({
      changed: ['one/x'],
      removed: ['empty/z', 'one/two/new'],
      broughtBack: ['one/two/y'],
      ignoredFiles: [],
      unsaved: [],
    })
    expect(list()).toEqual(before)
  })

  it('is left out if it has too many files, the largest first, and named', async () => {
    const { root, run, list, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    run('for i in 1 2 3; do git init -q r$i; for j in $(seq $i); do echo x > r$i/f$j; done; done')
    const session = checkpoints({ limits: { ...patientLimits, files: 5 } })
    const before = list()
    const change = async () => {
      await session.keep(join(root, 'r3/f2'), { signal })
      run('echo 2 | tee r1/f1 r2/f1 r3/f1 r3/f2 a')
    }
    const why = 'more than 5 files together with the rest'
    expect(await turn(session, 'change', change)).toEqual([
      { id, notes: [`not saved for undo, ${why}: r3/`], unsaved: 'r3/' },
      { id, notes: [] },
    ])
    expect(await undoTurn(shadow, { signal })).toMatchObject({
      changed: ['a', 'r1/f1', 'r2/f1', 'r3/f2'],
      unsaved: [{ name: 'r3/', why }],
    })
    expect(list()).toEqual({ ...before, 'r3/f1': '644 "2\\n"' })
    expect(await turn(session, 'again', change)).toEqual([
      { id, notes: [], unsaved: 'r3/' },
      { id, notes: [] },
    ])
    expect(await undoTurn(shadow, { signal })).toMatchObject({ unsaved: [{ name: 'r3/', why }] })
  })
})

describe('a file left out', () => {
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

  it('is never overwritten: one that the turn made too large has to be moved away first', async () => {
    const { list, put, run, shadow, checkpoints } = await openProject({ files: { a: '1', log: 'x' } })
    await turn(checkpoints(), 'grow', () => put('log', new Uint8Array(10 * 1024 * 1024 + 1)))
    const after = list()
    for (const force of [false, true]) {
      expect(await thrown(() => undoTurn(shadow, { force, signal }))).toMatchObject({
        code: 'conflict',
        message: 'nothing was restored: in the way and not saved: log',
      })
      expect(list()).toEqual(after)
    }
    run('mv log aside')
    await undoTurn(shadow, { signal })
    expect(list()).toMatchObject({ a: '644 "1"', log: '644 "x"' })
  })

  it('may have a name that git refuses, and does not stop others from being saved', async () => {
    const { list, run, shadow, checkpoints } = await openProject({
      files: { a: '1', 'git~1': 'odd', 'x\\y': 'odd' },
    })
    run('mkdir .GIT; echo x > .GIT/x; printf y > "$(printf \'latin\\351\')"; mkfifo pipe')
    const [saved] = await turn(checkpoints(), 'go', () => run("rm a 'git~1' 'x\\y'; ls"))
    expect(saved?.notes).toEqual([
      expect.stringMatching(/^not saved for undo, too large or unreadable: .*(\.GIT\/x|latin)/),
    ])
    run('rm pipe latin*')
    await undoTurn(shadow, { signal })
    expect(list()).toMatchObject({ a: '644 "1"', 'git~1': '644 "odd"', 'x\\y': '644 "odd"' })
  })

  it.skipIf(process.getuid?.() === 0)('may be unreadable', async () => {
    const { root, checkpoints, run } = await openProject({ files: { a: '1', closed: 'x' } })
    chmodSync(join(root, 'closed'), 0)
    const [saved] = await turn(checkpoints(), 'go', () => run('rm a'))
    expect(saved?.notes).toEqual(['not saved for undo, too large or unreadable: closed'])
  })
})
