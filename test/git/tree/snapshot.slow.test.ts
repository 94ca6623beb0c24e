import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { thrown } from '../../support/thrown.ts'
import { openProject, patientLimits, turn } from '../project.ts'
import { id, repository, signal } from './snapshot-setup.ts'

describe('the repository of the project', () => {
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
})

describe('an ignored file', () => {
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
})
