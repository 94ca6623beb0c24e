import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listTurns, redoTurn, undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { text, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'
import { never, openProject, patientLimits, turn } from '../project.ts'

const bytes = Uint8Array.from({ length: 3_000 }, (_, i) => (i * 7) % 256)

const files = {
  'src/a.ts': 'one\ntwo\n',
  'src/b.ts': 'b\r\nmixed\n',
  'bin/run': '#!/bin/sh\n',
  'data.bin': bytes,
  'with space/ünï "q" $x\nline.txt': 'odd\n',
  'left.txt': 'left alone\n',
}

/** A project with every kind of file. */
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

describe('an undone turn', () => {
  it('restores every byte, mode and link, and so does its redo', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const before = list()
    await turn(checkpoints(), 'turn it over', () => run(upheaval))
    const after = list()
    expect(await undoTurn(shadow, { signal })).toEqual({
      side: 'undo',
      session: 'one',
      label: 'turn it over',
      message: expect.any(String),
      at: expect.any(Number),
      changed: ['bin/run', 'link', 'src/a.ts'],
      removed: ['folder-link/x', 'moved.bin', 'new/deep/file', 'zero'],
      broughtBack: ['dangling', 'data.bin', 'folder-link', 'src/b.ts', 'with space/ünï "q" $x\nline.txt'],
      ignoredFiles: [],
      unsaved: [],
    })
    expect(list()).toEqual(before)
    await redoTurn(shadow, { signal })
    expect(list()).toEqual(after)
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })

  it('restores files that calls wrote outside of the saved tree, and its redo writes them again', async () => {
    const { folder, list, run, shadow, checkpoints, put, root } = await openProject({
      files: { '.gitignore': '.env*\n', '.env': 'a\n', b: 'b\n' },
    })
    const session = checkpoints()
    run('git init --quiet tool; chmod 600 .env')
    const before = list()
    const written = ['.env', '.env.new', '.env.d/x', 'b', 'gone', 'tool/x', '../outside']
    const said = await turn(
      session,
      'configure',
      async () => {
        for (const path of written) {
          await session.keep(join(root, path), { signal })
          put(path, 'new\n')
        }
        run('rm gone; rm b; echo b > b')
      },
      true,
    )
    expect(said.map((one) => [one?.notes, one?.unsaved])).toEqual(Array(2).fill([[], undefined]))
    const after = list()
    const outside = join(folder, 'outside')
    for (let i = 0; i < 2; i++) {
      expect(await undoTurn(shadow, { signal })).toMatchObject({
        changed: ['.env'],
        removed: ['.env.d/x', '.env.new', outside, 'tool/x'],
        ignoredFiles: [],
      })
      expect([list(), readdirSync(folder)]).toEqual([before, ['project', 'state']])
      expect(await redoTurn(shadow, { signal })).toMatchObject({
        changed: ['.env'],
        broughtBack: ['.env.d/x', '.env.new', outside, 'tool/x'],
      })
      expect([list(), readFileSync(outside, 'utf8')]).toEqual([after, 'new\n'])
    }
  })

  it('names what it changed but could not save', async () => {
    const { list, run, shadow, checkpoints, put, root } = await openProject({
      files: { '.gitignore': '.env\n', '.env': 'a' },
    })
    const session = checkpoints({ limits: { ...patientLimits, fileBytes: 100 } })
    put('large', 'x'.repeat(101))
    put('idle', 'x'.repeat(101))
    const [, ended] = await turn(session, 'go', async () => {
      await session.keep(join(root, '.env'), { signal })
      run('rm .env; mkdir .env; echo more >> large; git init -q made; echo x > made/x')
    })
    const ignoredFiles = ['.env', 'large', 'made/']
    expect(ended?.notes).toEqual([`changed, but not saved for undo: ${ignoredFiles.join(', ')}`])
    const after = list()
    expect(await undoTurn(shadow, { signal })).toMatchObject({
      changed: [],
      removed: [],
      broughtBack: [],
      ignoredFiles,
    })
    expect(list()).toEqual(after)
  })

  it('restores a file over a folder that the turn made, and the reverse', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const before = list()
    await turn(checkpoints(), 'swap', () =>
      run('rm left.txt; mkdir left.txt; echo x > left.txt/x; rm -r src; echo y > src'),
    )
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })

  it('is the last one, then those before it; turns that changed nothing do not count', async () => {
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

  it('cannot be redone once another turn has changed files', async () => {
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

  it('is the last one in the folder, whatever its session; several are redone in reverse order', async () => {
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

  it('belongs to one session if asked for', async () => {
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

describe('a later change by the user', () => {
  it('stays if it is in other files', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    await turn(checkpoints(), 'edit', () => run('echo more >> src/a.ts'))
    run('echo mine > mine.txt; echo mine >> left.txt; rm src/b.ts')
    const mine = list()
    await undoTurn(shadow, { signal })
    expect(list()).toEqual({ ...mine, 'src/a.ts': '644 "one\\ntwo\\n"' })
  })

  it('is not overwritten: nothing is restored, and the error names the files', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    await turn(checkpoints(), 'edit', () =>
      run('echo more >> src/a.ts; echo x > new; rm left.txt; rm data.bin'),
    )
    run('echo mine >> src/a.ts; echo mine >> new; echo mine > left.txt')
    const mine = list()
    expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({
      code: 'conflict',
      message: 'nothing was restored: changed since the turn, and would be lost: left.txt, new, src/a.ts',
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

  it('is no conflict if it equals the result of the undo', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const before = list()
    await turn(checkpoints(), 'edit', () => run('echo x > new; echo more >> src/a.ts'))
    run('rm new')
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['src/a.ts'], removed: [] })
    expect(list()).toEqual(before)
  })

  it('is safe if git does not see it: an ignored file in a folder to be removed', async () => {
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

describe('a turn that was cut short', () => {
  it('is undone by force only, because it is unknown who changed the files', async () => {
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

it('finds nothing to undo in a folder without saves, and creates no repository', async () => {
  const { folder, shadow } = await varied()
  expect(await listTurns(shadow, { signal })).toEqual([])
  expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({ code: 'input' })
  expect(readdirSync(folder)).toEqual(['project'])
  expect(statSync(shadow.root).isDirectory()).toBe(true)
})
