import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listTurns, redoTurn, undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { text, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'
import { openProject, turn } from '../project.ts'
import { signal, upheaval, varied } from './undo-setup.ts'

describe('an undone turn', () => {
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
