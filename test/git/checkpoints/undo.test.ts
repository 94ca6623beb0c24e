import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listTurns, redoTurn, undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { thrown } from '../../support/thrown.ts'
import { openProject, patientLimits, turn } from '../project.ts'
import { signal, upheaval, varied } from './undo-setup.ts'

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

  it('is still undone whole if another process redoes it during the next turn', async () => {
    const files = { '.gitignore': '.env\n', '.env': 'old' }
    const { list, shadow, checkpoints, put, root } = await openProject({ files })
    const before = list()
    const session = checkpoints()
    await turn(
      session,
      'change it',
      async () => {
        await session.keep(join(root, '.env'), { signal })
        put('.env', 'new')
      },
      true,
    )
    await undoTurn(shadow, { signal })
    await turn(session, 'go on', async () => {
      await redoTurn(shadow, { signal })
      put('other', 'x')
    })
    await undoTurn(shadow, { signal })
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
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
      message:
        'nothing was restored: changed since the turn, and would be lost: left.txt, new, src/a.ts; force overwrites them (--force, /undo force, /redo force)',
    })
    expect(list()).toEqual(mine)
  })
  it('is no conflict if it equals the result of the undo', async () => {
    const { list, run, shadow, checkpoints } = await varied()
    const before = list()
    await turn(checkpoints(), 'edit', () => run('echo x > new; echo more >> src/a.ts'))
    run('rm new')
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['src/a.ts'], removed: [] })
    expect(list()).toEqual(before)
  })
})
it('finds nothing to undo in a folder without saves, and creates no repository', async () => {
  const { folder, shadow } = await varied()
  expect(await listTurns(shadow, { signal })).toEqual([])
  expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({ code: 'input' })
  expect(readdirSync(folder)).toEqual(['project'])
  expect(statSync(shadow.root).isDirectory()).toBe(true)
})
