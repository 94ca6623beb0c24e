import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { turnLimits } from '../../src/git/limits.ts'
import { listTurns, redoTurn, undoTurn } from '../../src/git/undo.ts'
import { text, user } from '../support/messages.ts'
import { thrown } from '../support/thrown.ts'
import { listing, never, openProject, turn } from './project.ts'

const bytes = Uint8Array.from({ length: 3_000 }, (_, i) => (i * 7) % 256)

const files = {
  'src/a.ts': 'one\ntwo\n',
  'src/b.ts': 'b\r\nmixed\n',
  'bin/run': '#!/bin/sh\n',
  'data.bin': bytes,
  'with space/ünï "q" $x\nline.txt': 'odd\n',
  'left.txt': 'left alone\n',
}

/** A project of every kind of file. */
async function varied() {
  const project = await openProject({ files })
  chmodSync(join(project.root, 'bin/run'), 0o755)
  project.run('ln -s src/a.ts link; ln -s nowhere dangling; ln -s src folder-link')
  return project
}

const signal = never()

/** Changes of all kinds, made by commands. */
const upheaval = `
  sed -i s/one/ONE/ src/a.ts
  rm src/b.ts; rm -r 'with space'
  mv data.bin moved.bin
  chmod -x bin/run
  ln -sf elsewhere link; rm dangling
  rm folder-link; mkdir folder-link; echo in > folder-link/x
  mkdir -p new/deep; echo new > new/deep/file; printf '\\0\\1' > zero
  touch left.txt
`

describe('a turn that is undone', () => {
  it('leaves every byte, mode and link as it was, and is brought back the same way', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const before = list()
    await turn(checkpoints(), 'turn it over', () => run(upheaval))
    const after = list()
    expect(await undoTurn(shadow, { signal })).toEqual({
      side: 'undo',
      session: 'one',
      label: 'turn it over',
      at: expect.any(Number),
      changed: ['bin/run', 'link', 'src/a.ts'],
      removed: ['folder-link/x', 'moved.bin', 'new/deep/file', 'zero'],
      broughtBack: ['dangling', 'data.bin', 'folder-link', 'src/b.ts', 'with space/ünï "q" $x\nline.txt'],
      leftAlone: [],
    })
    expect(list()).toEqual(before)
    await redoTurn(shadow, { signal })
    expect(list()).toEqual(after)
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })

  it('removes the folders that it made', async () => {
    const { root, run, shadow, checkpoints } = await varied()
    await turn(checkpoints(), 'make', () => run('mkdir -p new/deep; echo x > new/deep/x'))
    await undoTurn(shadow, { signal })
    expect(readdirSync(root)).not.toContain('new')
  })

  it('leaves the folders that were there, though they were empty, however often it is turned over', async () => {
    const { root, run, shadow, checkpoints } = await varied()
    run('mkdir -p empty/inner "odd [name]" src/bare; mkdir emptied; echo x > emptied/x')
    const folders = () => run('find . -type d | sort')
    const before = folders()
    await turn(checkpoints(), 'fill', () =>
      run(
        'for f in empty/inner odd* src/bare; do mkdir -p "$f/new/deep"; echo x > "$f/new/deep/x"; done; rm emptied/x',
      ),
    )
    const after = folders()
    for (let i = 0; i < 2; i++) {
      await undoTurn(shadow, { signal })
      expect(folders()).toBe(before)
      await redoTurn(shadow, { signal })
      expect(folders()).toBe(after)
    }
    expect(readdirSync(root)).toContain('emptied')
  })

  it('removes those that it left empty, which is named and brought back, also where that is all', async () => {
    const { run, shadow, checkpoints } = await varied()
    const session = checkpoints()
    const folders = () => run('find . -type d | sort')
    const before = folders()
    await turn(session, 'with files', () =>
      run('mkdir -p m/a/b src/e/f; echo x > m/x; mkdir -p n/o; echo x > n/x; rm n/x'),
    )
    const first = folders()
    await turn(session, 'folders alone', () => run('mkdir -p a/b/c; rmdir m/a/b'))
    const second = folders()
    for (let i = 0; i < 2; i++) {
      expect(await undoTurn(shadow, { signal })).toMatchObject({
        ...{ label: 'folders alone', changed: [] },
        ...{ removed: ['a/', 'a/b/', 'a/b/c/'], broughtBack: ['m/a/b/'] },
      })
      expect(folders()).toBe(first)
      expect(await undoTurn(shadow, { signal })).toMatchObject({
        label: 'with files',
        removed: ['m/a/', 'm/a/b/', 'm/x', 'n/', 'n/o/', 'src/e/', 'src/e/f/'],
      })
      expect(folders()).toBe(before)
      await redoTurn(shadow, { signal })
      expect(folders()).toBe(first)
      await redoTurn(shadow, { signal })
      expect(folders()).toBe(second)
    }
  })

  it('leaves folders that it made and that are not empty any more, by an ignored file or a saved one', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { '.gitignore': '*.o\nout/\n' } })
    await turn(checkpoints(), 'make', () =>
      run('mkdir -p ignored/in/deep own/in out both/in; echo > ignored/in/x.o'),
    )
    run('echo mine > own/in/mine; rmdir both/in; mkdir theirs')
    expect(await undoTurn(shadow, { signal })).toMatchObject({ removed: ['both/', 'ignored/in/deep/'] })
    expect(run('find . -mindepth 1 | sort').split('\n')).toEqual([
      ...['./.gitignore', './ignored', './ignored/in', './ignored/in/x.o', './out'],
      ...['./own', './own/in', './own/in/mine', './theirs', ''],
    ])
  })

  it('leaves folders that held only what is ignored, though the turn emptied them, whatever is ignored then', async () => {
    const { run, shadow, checkpoints } = await openProject({
      files: { '.gitignore': '*.o\nout/\n', 'a/x.o': '', 'b/c/x.o': '', 'p/out/x': '' },
    })
    run('mkdir -p out q/r/out; git init -q nest; mkdir -p deep; git init -q deep/nest')
    const folders = () => run("find . -type d -not -path '*/.git*' | sort")
    const before = folders()
    await turn(checkpoints(), 'clean', () =>
      run('rm -r a/x.o b/c/x.o p/out/x nest/.git deep/nest/.git; rm .gitignore; mkdir new'),
    )
    await undoTurn(shadow, { signal })
    expect(folders()).toBe(before)
  })

  it('leaves all folders as they are where it made more empty ones than files may be saved', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: 'a' } })
    const session = checkpoints({ limits: { ...turnLimits, files: 5 } })
    await turn(session, 'make', () => run('echo > a; for i in 1 2 3 4 5 6; do mkdir -p d/$i; done'))
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['a'], removed: [] })
    expect(run('ls d').split('\n')).toHaveLength(7)
  })

  it('removes nothing through a link that has come into the place of a folder', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: 'a' } })
    run('mkdir -p there/in; ln -s there link')
    await turn(checkpoints(), 'replace', () => run('rm link; mkdir -p link/in other/in'))
    run('rm -r other; ln -s there other')
    await undoTurn(shadow, { signal })
    expect(run('find . | sort').split('\n')).toEqual([
      ...['.', './a', './link', './other', './there', './there/in', ''],
    ])
  })

  it('makes no folder in the place of what somebody has put there', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: 'a' } })
    run('mkdir -p gone/in linked/in turned/in')
    await turn(checkpoints(), 'remove', () =>
      run('rm -r gone linked turned; echo changed > a; echo file > turned'),
    )
    run('echo mine > gone; ln -s . linked')
    expect(await undoTurn(shadow, { signal })).toMatchObject({
      changed: ['a'],
      removed: ['turned'],
      broughtBack: ['turned/', 'turned/in/'],
    })
    expect(run('find . | sort').split('\n')).toEqual([
      ...['.', './a', './gone', './linked', './turned', './turned/in', ''],
    ])
  })

  it('takes neither for its own what a sandbox puts where nothing is', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: 'a' } })
    const session = checkpoints()
    run('mkdir before; chmod 1700 before')
    await turn(session, 'alone', () => run('mkdir during; chmod 1700 during; rmdir before'))
    expect(await listTurns(shadow, { signal })).toEqual([])
    run('mkdir before; chmod 1700 before')
    await turn(session, 'with a file', () => run('echo > a; rmdir before; mkdir late; chmod 1700 late'))
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['a'], removed: [], broughtBack: [] })
    expect(run('ls').split('\n')).toEqual(['a', 'during', 'late', ''])
  })

  it('leaves the folder that somebody works in', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { a: 'a\n' }, cwd: 'made/here' })
    await turn(checkpoints(), 'make', () => run('mkdir -p made/here/below; echo x > made/here/below/x'))
    await undoTurn(shadow, { signal })
    expect(readdirSync(join(root, 'made'), { recursive: true })).toEqual(['here'])
    run('rmdir made/here made')
    await turn(checkpoints(), 'make', () => run('mkdir -p made/here/below'))
    await undoTurn(shadow, { signal })
    expect(readdirSync(join(root, 'made'), { recursive: true })).toEqual(['here'])
  })

  it('names what it wrote itself and is not saved, also where that is all, and leaves it', async () => {
    const { folder, list, run, shadow, checkpoints, put, root } = await openProject({
      files: { '.gitignore': '.env*\n', '.env': 'a\n', b: 'b\n' },
    })
    const session = checkpoints()
    run('git init --quiet tool')
    const written = ['.env', '.env.new', 'b', 'gone', 'tool/x', join(folder, 'outside')]
    const [, ended] = await turn(session, 'configure', () => {
      for (const path of written.slice(0, -1)) {
        put(path, 'new\n')
        session.wrote(path)
      }
      session.wrote(join(folder, 'outside'))
      run('rm gone; echo > ../outside; rm b; echo b > b')
    })
    const leftAlone = ['.env', '.env.new', join(folder, 'outside'), 'tool/x'].sort()
    expect(ended?.notes).toEqual([
      `changed, but not kept for an undo (ignored, too large or outside of the project): ${leftAlone.join(', ')}`,
    ])
    const { '.env': env } = list()
    const nothing = { changed: [], removed: [], broughtBack: [] }
    for (let i = 0; i < 2; i++) {
      expect(await undoTurn(shadow, { signal })).toMatchObject({ ...nothing, leftAlone })
      expect(await redoTurn(shadow, { signal })).toMatchObject({ ...nothing, leftAlone })
    }
    expect([env, list()['.env']]).toEqual(Array(2).fill('644 "new\\n"'))
    expect(readdirSync(root)).not.toContain('gone')
  })

  it('may put a file where the turn made a folder, and the other way round', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const before = list()
    await turn(checkpoints(), 'swap', () =>
      run('rm left.txt; mkdir left.txt; echo x > left.txt/x; rm -r src; echo y > src'),
    )
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })

  it('keeps who may read a file', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { secret: 'a\n', tool: 'b\n' } })
    chmodSync(join(root, 'secret'), 0o600)
    chmodSync(join(root, 'tool'), 0o700)
    await turn(checkpoints(), 'edit', () => run('echo c >> secret; echo c >> tool'))
    await undoTurn(shadow, { signal })
    expect(listing(root)).toEqual({ secret: '600 "a\\n"', tool: '700 "b\\n"' })
  })

  it('keeps what lets a file run as its owner or group, and what else is told of it', async () => {
    const { root, run, shadow, checkpoints } = await openProject({
      files: { a: 'a', b: 'b', c: 'c', d: 'd' },
    })
    const before = { a: '4755 "a"', b: '2710 "b"', c: '1644 "c"', d: '644 "d"' }
    run('chmod 4755 a; chmod 2710 b; chmod 1644 c; chmod 644 d')
    expect(listing(root)).toEqual(before)
    await turn(checkpoints(), 'edit', () =>
      run('rm a b; echo x > a; echo >> c; chmod 644 c; echo >> d; chmod 6755 d'),
    )
    const after = listing(root)
    await undoTurn(shadow, { signal })
    expect(listing(root)).toEqual(before)
    await redoTurn(shadow, { signal })
    expect(listing(root)).toEqual(after)
  })

  it.runIf(process.geteuid?.() === 0)('lets no file of somebody else run as us', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { a: 'a', b: 'b', c: 'c' } })
    run('chown 1 a c; chgrp 1 b c; chmod 6755 a b c')
    await turn(checkpoints(), 'remove', () => run('rm a b c'))
    await undoTurn(shadow, { signal })
    expect(listing(root)).toEqual({ a: '2755 "a"', b: '4755 "b"', c: '755 "c"' })
    chownSync(shadow.path, 1, 1)
    await redoTurn(shadow, { signal })
    await undoTurn(shadow, { signal })
    expect(listing(root)).toEqual({ a: '755 "a"', b: '755 "b"', c: '755 "c"' })
  })

  it('is the last one; the ones before it follow, and a turn that changed nothing does not count', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const session = checkpoints()
    const states = [list()]
    for (const number of [1, 2, 3]) {
      await turn(session, `turn ${number}`, () =>
        run(`echo ${number} >> src/a.ts; echo ${number} > file${number}`),
      )
      states.push(list())
    }
    await turn(session, 'only look', () => run('cat src/a.ts'))
    for (const number of [2, 1, 0]) {
      expect(await undoTurn(shadow, { signal })).toMatchObject({ label: `turn ${number + 1}` })
      expect(list()).toEqual(states[number])
    }
    expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({
      code: 'input',
      message: `there is nothing to undo in ${shadow.root}`,
    })
    for (const number of [1, 2, 3]) {
      expect(await redoTurn(shadow, { signal })).toMatchObject({ label: `turn ${number}` })
      expect(list()).toEqual(states[number])
    }
    expect(await thrown(() => redoTurn(shadow, { signal }))).toMatchObject({ code: 'input' })
  })

  it('cannot be brought back once another turn has changed files', async () => {
    const { run, shadow, checkpoints } = await varied()
    const session = checkpoints()
    await turn(session, 'first', () => run('echo 1 > one'))
    await undoTurn(shadow, { signal })
    await turn(session, 'second', () => run('echo 2 > two'))
    expect((await listTurns(shadow, { signal })).map(({ side, label }) => [side, label])).toEqual([
      ['undo', 'second'],
    ])
    expect(await thrown(() => redoTurn(shadow, { signal }))).toMatchObject({ code: 'input' })
  })

  it('is the last one in the folder, whatever the session; undone in a row, they come back in a row', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const turns = [
      { session: 'c', label: 'first' },
      { session: 'a', label: 'second' },
      { session: 'b', label: 'third' },
      { session: 'a', label: 'fourth' },
    ]
    const states = [list()]
    for (const { session, label } of turns) {
      await turn(checkpoints({ session }), label, () => run(`echo ${label} > left.txt`))
      states.push(list())
    }
    const listed = async () =>
      (await listTurns(shadow, { signal })).map(({ side, label }) => `${side} ${label}`)
    expect(await listed()).toEqual(['undo fourth', 'undo third', 'undo second', 'undo first'])
    for (const [i, expected] of [...turns.entries()].reverse()) {
      expect(await undoTurn(shadow, { signal })).toMatchObject(expected)
      expect(list()).toEqual(states[i])
    }
    expect(await listed()).toEqual(['redo fourth', 'redo third', 'redo second', 'redo first'])
    for (const [i, expected] of turns.entries()) {
      expect(await redoTurn(shadow, { signal })).toMatchObject(expected)
      expect(list()).toEqual(states[i + 1])
    }
  })

  it('belongs to its session where one is asked for', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const before = list()
    await turn(checkpoints({ session: 'a.b..c' }), 'first', () => run('echo 1 > one'))
    await turn(checkpoints({ session: 'two' }), 'second', () => run('echo 2 > two'))
    expect(await listTurns(shadow, { session: 'a.b..c', signal })).toMatchObject([{ label: 'first' }])
    expect(await undoTurn(shadow, { session: 'a.b..c', signal })).toMatchObject({ removed: ['one'] })
    expect(await undoTurn(shadow, { signal })).toMatchObject({ label: 'second', removed: ['two'] })
    expect(list()).toEqual(before)
  })
})

describe('what a person changed since', () => {
  it('in other files stays', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    await turn(checkpoints(), 'edit', () => run('echo more >> src/a.ts'))
    run('echo mine > mine.txt; echo mine >> left.txt; rm src/b.ts')
    const mine = list()
    await undoTurn(shadow, { signal })
    expect(list()).toEqual({ ...mine, 'src/a.ts': '644 "one\\ntwo\\n"' })
  })

  it('is not overwritten: nothing is restored, and the files are named', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    await turn(checkpoints(), 'edit', () =>
      run('echo more >> src/a.ts; echo x > new; rm left.txt; rm data.bin'),
    )
    run('echo mine >> src/a.ts; echo mine >> new; echo mine > left.txt')
    const mine = list()
    expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({
      code: 'conflict',
      message:
        'nothing was restored: changed since the turn, so that this would be lost: left.txt, new, src/a.ts',
    })
    expect(list()).toEqual(mine)
  })

  it('is overwritten by force, and comes back when that is undone', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const before = list()
    await turn(checkpoints(), 'edit', () => run('echo more >> src/a.ts; echo x > new; rm left.txt'))
    run('echo mine >> src/a.ts; echo mine >> new; echo mine > left.txt')
    const mine = list()
    await undoTurn(shadow, { force: true, signal })
    expect(list()).toEqual(before)
    await redoTurn(shadow, { signal })
    expect(list()).toEqual(mine)
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })

  it('is no conflict where it is what undoing would do', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const before = list()
    await turn(checkpoints(), 'edit', () => run('echo x > new; echo more >> src/a.ts'))
    run('rm new')
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['src/a.ts'], removed: [] })
    expect(list()).toEqual(before)
  })

  it('is safe where git cannot know it: an ignored file in a folder that would have to go', async () => {
    const { list, run, shadow, checkpoints } = await openProject({
      files: { '.gitignore': '*.log\n', thing: 'a\n' },
    })
    await turn(checkpoints(), 'swap', () => run('rm thing; mkdir thing; echo x > thing/x'))
    run('echo precious > thing/my.log')
    const mine = list()
    for (const force of [false, true]) {
      expect(await thrown(() => undoTurn(shadow, { force, signal }))).toMatchObject({
        code: 'conflict',
        message: 'nothing was restored: in the way and not saved: thing/my.log',
      })
      expect(list()).toEqual(mine)
    }
  })
})

describe('a turn that was cut', () => {
  it('is undone by force only, because nobody knows what it was that changed the files', async () => {
    const { list, run, put, shadow, checkpoints } = await varied()
    const before = list()
    const session = checkpoints()
    session.begin(user(text('never ends')))
    await session.save({ signal })
    run(upheaval)
    put('mine.txt', 'mine')
    const cut = list()
    expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('the files were not saved at the end of this turn'),
    })
    expect(list()).toEqual(cut)
    await undoTurn(shadow, { force: true, signal })
    expect(list()).toEqual(before)
    await redoTurn(shadow, { signal })
    expect(list()).toEqual(cut)
  })
})

it('a folder in which nothing was saved has nothing to undo, and none is made', async () => {
  const { folder, shadow } = await varied()
  expect(await listTurns(shadow, { signal })).toEqual([])
  expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({ code: 'input' })
  expect(readdirSync(folder)).toEqual(['project'])
  expect(statSync(shadow.root).isDirectory()).toBe(true)
})
