import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandLine, CommandRunner } from '../../src/command.ts'
import { noCheckpoints } from '../../src/git/checkpoints.ts'
import { turnLimits } from '../../src/git/limits.ts'
import { listTurns, undoTurn } from '../../src/git/undo.ts'
import { createHandClock } from '../support/hand-clock.ts'
import { text, user } from '../support/messages.ts'
import { thrown } from '../support/thrown.ts'
import { listing, never, openProject, turn } from './project.ts'

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

describe('a turn', () => {
  it('saves the files before it changes any, and as it left them', async () => {
    const { run, checkpoints } = await openProject({ files: { a: '1' } })
    expect(await turn(checkpoints(), 'go', () => run('echo 2 > a'))).toEqual([
      { id, notes: [] },
      { id, notes: [] },
    ])
  })

  it('saves them once', async () => {
    const { checkpoints, commandLines } = await counted()
    const session = checkpoints()
    session.begin(user(text('go')))
    expect(await session.save({ signal })).toEqual({ id, notes: [] })
    const { length } = commandLines
    expect(await session.save({ signal })).toBe(undefined)
    expect(commandLines).toHaveLength(length)
  })

  it('that wants to change nothing runs nothing', async () => {
    const { folder, checkpoints, commandLines } = await counted()
    const session = checkpoints()
    session.begin(user(text('look')))
    expect(await session.end()).toBe(undefined)
    expect(commandLines).toEqual([])
    expect(readdirSync(folder)).toEqual(['project'])
  })

  it('that changed nothing is forgotten', async () => {
    const { shadow, checkpoints } = await openProject({ files: { a: '1' } })
    expect(await turn(checkpoints(), 'look', () => undefined)).toEqual([{ id, notes: [] }, undefined])
    expect(await listTurns(shadow, { signal })).toEqual([])
  })

  it('is named by the first words of the person, in one line', async () => {
    const { run, shadow, checkpoints } = await openProject()
    const session = checkpoints()
    const content = [text('<environment>'), text(`fix\n\tthe \u001b[31mlogin\u0000 ${'page '.repeat(40)}`)]
    session.begin({ ...user(...content), metadata: { context: '1' } })
    await session.save({ signal })
    run('echo x > x')
    await session.end()
    const [{ label = '' } = {}] = await listTurns(shadow, { signal })
    expect(label).toMatch(/^fix the \[31mlogin page page [page ]*$/)
    expect(label.length).toBeLessThanOrEqual(72)
  })

  it('stops saving when it is stopped', async () => {
    const { checkpoints } = await openProject({ files: { a: '1' } })
    const session = checkpoints()
    session.begin(user(text('go')))
    const stopped = AbortSignal.abort()
    expect(await thrown(() => session.save({ signal: stopped }))).toMatchObject({ code: 'aborted' })
    expect(await session.end()).toBe(undefined)
  })

  it('of another process in the same folder waits its turn', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    const [one, two] = [checkpoints({ session: 'one' }), checkpoints({ session: 'two' })]
    for (const session of [one, two]) session.begin(user(text('go')))
    const saved = await Promise.all([one, two].map((session) => session.save({ signal })))
    run('echo 2 > a')
    expect([...saved, ...(await Promise.all([one, two].map((session) => session.end())))]).toEqual(
      Array(4).fill({ id, notes: [] }),
    )
    expect(await listTurns(shadow, { session: 'one', signal })).toHaveLength(1)
  })

  it('goes on where an earlier git was killed', async () => {
    const { list, run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    await turn(checkpoints(), 'first', () => run('echo 2 > a'))
    writeFileSync(join(shadow.path, 'index.lock'), '')
    const before = list()
    await turn(checkpoints(), 'second', () => run('echo 3 > a'))
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })
})

describe('the repository of the project', () => {
  it('is not touched: index, stash, refs, HEAD and all else stay byte for byte', async () => {
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

  it('runs nothing, whatever it has configured (PERM-185)', async () => {
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

  it('keeps its files as they are, what Git LFS stores elsewhere included', async () => {
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

describe('what is ignored', () => {
  it('is neither saved nor touched, by .gitignore and .git/info/exclude', async () => {
    const { root, run, shadow, checkpoints } = await repository()
    await turn(checkpoints(), 'build', () =>
      run('echo 2 > my.log; rm build/out; echo 2 > build/new; rm private.txt; echo x > x'),
    )
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: [], removed: ['x'], broughtBack: [] })
    expect(listing(root)).toMatchObject({ 'my.log': '644 "2\\n"', 'build/new': '644 "2\\n"' })
  })

  it('stays so when the turn takes the rule away', async () => {
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

  it('is not saved any more once the person ignores it', async () => {
    const { list, run, shadow, checkpoints } = await openProject({ files: { a: '1', secret: 's' } })
    const session = checkpoints()
    await turn(session, 'first', () => run('echo 2 > a'))
    run('echo secret > .gitignore')
    await turn(session, 'second', () => run('echo 3 > a; echo changed > secret'))
    const after = list()
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['a'], removed: [] })
    expect(list()).toEqual({ ...after, a: '644 "2\\n"' })
  })

  it('hides nothing of a folder that holds nothing else', async () => {
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

  it('includes repositories within, also when the turn makes plain folders of them', async () => {
    const { root, run, list, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    run('git init -q nested; echo x > nested/x; git init -q empty')
    await turn(checkpoints(), 'flatten', () => run('rm -rf nested/.git; echo y > nested/x; echo 2 > a'))
    const after = list()
    await undoTurn(shadow, { signal })
    expect(list()).toEqual({ ...after, a: '644 "1"' })
    expect(readFileSync(join(root, 'nested/x'), 'utf8')).toBe('y\n')
  })
})

describe('what is left out', () => {
  const limits = { ...turnLimits, fileBytes: 100 }

  it('is said once, and not touched, whatever the turn makes of it', async () => {
    const { root, list, run, put, shadow, checkpoints } = await openProject({
      files: { a: '1', large: 'x'.repeat(101) },
    })
    const session = checkpoints({ limits })
    const notes = ['left out of what can be undone, too large or not to be read: large']
    const saved = [
      { id, notes },
      { id, notes: [] },
    ]
    expect(await turn(session, 'shrink', () => run('echo 2 > a; echo small > large'))).toEqual(saved)
    await undoTurn(shadow, { signal })
    expect(list()).toEqual({ a: '644 "1"', large: '644 "small\\n"' })
    put('large', 'x'.repeat(101))
    expect(await turn(session, 'remove', () => rmSync(join(root, 'large')))).toEqual([
      { id, notes: [] },
      undefined,
    ])
    expect(list()).toEqual({ a: '644 "1"' })
  })

  it('is never overwritten: what a turn made too large to be saved has to be moved away', async () => {
    const { list, put, run, shadow, checkpoints } = await openProject({ files: { a: '1', log: 'x' } })
    await turn(checkpoints({ limits: { ...turnLimits } }), 'grow', () =>
      put('log', new Uint8Array(10 * 1024 * 1024 + 1)),
    )
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

  it('includes what cannot be handed to git, and keeps nothing else from being saved', async () => {
    const { list, run, shadow, checkpoints } = await openProject({
      files: { a: '1', 'git~1': 'odd', 'x\\y': 'odd' },
    })
    run('mkdir .GIT; echo x > .GIT/x; printf y > "$(printf \'latin\\351\')"; mkfifo pipe')
    const [saved] = await turn(checkpoints(), 'go', () => run("rm a 'git~1' 'x\\y'; ls"))
    expect(saved?.notes).toEqual([
      expect.stringMatching(
        /^left out of what can be undone, too large or not to be read: .*(\.GIT\/x|latin)/,
      ),
    ])
    run('rm pipe latin*')
    await undoTurn(shadow, { signal })
    expect(list()).toMatchObject({ a: '644 "1"', 'git~1': '644 "odd"', 'x\\y': '644 "odd"' })
  })

  it.skipIf(process.getuid?.() === 0)('includes what may not be read', async () => {
    const { root, checkpoints, run } = await openProject({ files: { a: '1', closed: 'x' } })
    chmodSync(join(root, 'closed'), 0)
    const [saved] = await turn(checkpoints(), 'go', () => run('rm a'))
    expect(saved?.notes).toEqual(['left out of what can be undone, too large or not to be read: closed'])
  })
})

describe('nothing is saved, which is said once and fails nothing', () => {
  const reason = (why: string) => ({ notes: [`what is changed here cannot be undone: ${why}`] })

  it('where there are too many files', async () => {
    const { put, shadow, checkpoints, commandLines } = await counted()
    for (const name of ['a', 'b', 'c', 'd']) put(name, name)
    const session = checkpoints({ limits: { ...turnLimits, files: 3 } })
    const why = 'there are more than 3 files; .gitignore says which do not count'
    expect(await turn(session, 'one', () => undefined)).toEqual([reason(why), undefined])
    const { length } = commandLines
    expect(await turn(session, 'two', () => undefined)).toEqual([undefined, undefined])
    expect(commandLines).toHaveLength(length)
    expect(await listTurns(shadow, { signal })).toEqual([])
  })

  it('where the turn has made too many; by force it is undone all the same', async () => {
    const { list, run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    const before = list()
    const session = checkpoints({ limits: { ...turnLimits, files: 3 } })
    const said = await turn(session, 'install', () =>
      run('mkdir modules; touch modules/1 modules/2 modules/3; echo 2 > a'),
    )
    expect(said).toEqual([
      { id, notes: [] },
      reason('there are more than 3 files; .gitignore says which do not count'),
    ])
    expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({ code: 'conflict' })
    await undoTurn(shadow, { force: true, signal })
    expect(list()).toEqual(before)
  })

  it('where it takes too long', async () => {
    const clock = createHandClock()
    const { checkpoints } = await openProject({
      clock,
      commands: (real) => ({
        ...real,
        run: (line, options) => {
          clock.advance(1_500)
          return real.run(line, options)
        },
      }),
    })
    const why = 'saving the files took longer than 2 s'
    expect(await turn(checkpoints(), 'go', () => undefined)).toEqual([reason(why), undefined])
  })

  it('where git itself does not come back', async () => {
    const limits = { ...turnLimits, ms: 300 }
    const slow = (real: CommandRunner): CommandRunner => ({
      ...real,
      run: (line, options) => real.run({ ...line, file: 'sleep', args: ['10'] }, options),
    })
    const { checkpoints } = await openProject({ commands: slow })
    const why = 'saving the files took longer than 0.3 s'
    expect(await turn(checkpoints({ limits }), 'go', () => undefined)).toEqual([reason(why), undefined])
  })

  it('where there is no git', async () => {
    const { checkpoints, folder } = await openProject({ path: '/nonexistent' })
    expect(await turn(checkpoints(), 'go', () => undefined)).toEqual([
      reason('git is not installed'),
      undefined,
    ])
    expect(readdirSync(folder).sort()).toEqual(['project', 'state'])
  })

  it('where the state cannot be written', async () => {
    const { folder, checkpoints } = await openProject()
    writeFileSync(join(folder, 'state'), 'a file')
    const [saved] = await turn(checkpoints(), 'go', () => undefined)
    expect(saved).toEqual({
      notes: [
        expect.stringMatching(/^what is changed here cannot be undone: .*a part of the path is a file/),
      ],
    })
  })

  it.runIf(process.platform === 'linux')('where there can be no folder for it, at once', async () => {
    const { checkpoints } = await openProject({ state: '/proc/nope' })
    const [saved] = await turn(checkpoints(), 'go', () => undefined)
    expect(saved).toEqual({
      notes: [expect.stringMatching(/^what is changed here cannot be undone: .*no such file or folder$/)],
    })
  })

  it('of folders that were added, which are named', async () => {
    const { checkpoints, run } = await openProject({ files: { a: 'a' } })
    const session = checkpoints({ uncovered: ['/srv/one', '/srv/two'] })
    const notes = ['what changes in folders that were added cannot be undone: /srv/one, /srv/two']
    expect(await turn(session, 'one', () => undefined)).toEqual([{ id, notes }, undefined])
    expect(await turn(session, 'two', () => run('echo > a'))).toEqual([
      { id, notes: [] },
      { id, notes: [] },
    ])
  })

  it('where the front end knows a reason', async () => {
    const none = noCheckpoints('this is the home folder')
    expect(await turn(none, 'one', () => undefined)).toEqual([reason('this is the home folder'), undefined])
    expect(await turn(none, 'two', () => undefined)).toEqual([undefined, undefined])
  })
})

describe('what is kept', () => {
  it('is readable by its owner alone', async () => {
    const { folder, run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    await turn(checkpoints(), 'go', () => run('echo 2 > a'))
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect([join(folder, 'state/checkpoints'), shadow.path].map(mode)).toEqual(['700', '700'])
  })

  it('is not itself a part of the project where that holds it', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { a: '1' }, stateIn: 'pi*pe' })
    await turn(checkpoints(), 'go', () => run('echo 2 > a; echo log > pi*pe/log'))
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['a'], removed: [], broughtBack: [] })
    expect(readFileSync(join(root, 'pi*pe/log'), 'utf8')).toBe('log\n')
  })

  it('is the last hundred turns of a session, none older than a month', async () => {
    const clock = createHandClock()
    const { put, run, shadow, checkpoints } = await openProject({ clock })
    const session = checkpoints()
    await turn(session, 'turn 0', () => put('a', '0'))
    const commit = run(`git --git-dir ${shadow.path} rev-parse refs/pipe/one/undo/00000001`).trim()
    run(`for i in $(seq -w 00000002 00000102); do echo "create refs/pipe/one/undo/$i ${commit}"; done |
      git --git-dir ${shadow.path} update-ref --stdin`)
    await turn(session, 'the last', () => put('a', '1'))
    expect(await listTurns(shadow, { signal })).toHaveLength(100)
    clock.advance(31 * 24 * 60 * 60 * 1_000)
    await turn(checkpoints({ session: 'two' }), 'much later', () => put('a', '2'))
    const left = () => listTurns(shadow, { session: 'one', signal })
    expect(await left()).toHaveLength(80)
    for (const number of [3, 4, 5, 6]) {
      await turn(checkpoints({ session: 'two' }), 'later still', () => put('a', String(number)))
    }
    expect(await left()).toEqual([])
  })
})

it('an unchanged tree of 2,000 files is saved again within 150 ms, and a factor of 3', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [`d${i % 40}/f${i}.txt`, `file ${i}\n`.repeat(20)]),
  )
  const { shadow, checkpoints } = await openProject({ files })
  const limits = { ...turnLimits, ms: 60_000 }
  await turn(checkpoints({ limits }), 'first', () => undefined)
  const { clock } = shadow
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const session = checkpoints({ limits })
    session.begin(user(text('again')))
    const started = clock.monotonic()
    await session.save({ signal })
    times.push(clock.monotonic() - started)
    await session.end()
  }
  expect(Math.min(...times)).toBeLessThan(450)
})

/** A project of which every command line is noted. */
async function counted() {
  const commandLines: CommandLine[] = []
  const project = await openProject({
    commands: (real) => ({
      ...real,
      run: (line, options) => {
        commandLines.push(line)
        return real.run(line, options)
      },
    }),
  })
  return { ...project, commandLines }
}
