import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listTurns, undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { thrown } from '../../support/thrown.ts'
import { never, openProject, patientLimits, turn } from '../project.ts'

const signal = never()
const id = expect.stringMatching(/^[0-9a-f]{40}$/)

describe('the save of a turn', () => {
  it.each(['', '\0'.repeat(100)])('succeeds after one that failed on a damaged index', async (damaged) => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    const session = checkpoints()
    await turn(session, 'first', () => run('echo 2 > a'))
    writeFileSync(join(shadow.path, 'index'), damaged)
    const [said] = await turn(session, 'second', () => run('echo 3 > a'))
    expect(said?.notes).toEqual([
      expect.stringMatching(/^what commands change cannot be undone: .*index file/s),
    ])
    expect(await turn(session, 'third', () => run('echo 4 > a'))).toEqual(Array(2).fill({ id, notes: [] }))
    expect(await undoTurn(shadow, { signal })).toMatchObject({ label: 'third', changed: ['a'] })
  })

  it('continues after an earlier git was killed', async () => {
    const { list, run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    await turn(checkpoints(), 'first', () => run('echo 2 > a'))
    writeFileSync(join(shadow.path, 'index.lock'), '')
    const before = list()
    await turn(checkpoints(), 'second', () => run('echo 3 > a'))
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })
})

describe('if not all can be saved, one note explains why and the turn proceeds', () => {
  const reason = (why: string) => ({
    notes: [`changes here cannot be undone: ${why}`],
    unsaved: 'this turn',
  })

  it('too many files after the turn; force still undoes it', async () => {
    const { list, run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    const before = list()
    const session = checkpoints({ limits: { ...patientLimits, files: 3 } })
    const said = await turn(session, 'install', () =>
      run('mkdir modules; touch modules/1 modules/2 modules/3; echo 2 > a'),
    )
    expect(said).toEqual([
      { id, notes: [] },
      reason('there are more than 3 files; list the ones to skip in .gitignore'),
    ])
    expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({ code: 'conflict' })
    await undoTurn(shadow, { force: true, signal })
    expect(list()).toEqual(before)
  })
})

describe('saved turns', () => {
  it('are limited to the last hundred of a session, none older than a month', async () => {
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
