import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listTurns, redoTurn, undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { thrown } from '../../support/thrown.ts'
import { never, openProject, turn } from '../project.ts'

const signal = never()

describe('undoing a turn', () => {
  it('keeps empty folders from before the turn, however often it is undone and redone', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { 'src/a.ts': 'a\n' } })
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

  it('removes, names and redoes folders that the turn created empty, even if it changed nothing else', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { 'src/a.ts': 'a\n' } })
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
        label: 'folders alone',
        changed: [],
        removed: ['a/', 'a/b/', 'a/b/c/'],
        broughtBack: ['m/a/b/'],
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

  it('removes nothing through a link that replaced a folder', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: 'a' } })
    run('mkdir -p there/in; ln -s there link')
    await turn(checkpoints(), 'replace', () => run('rm link; mkdir -p link/in other/in'))
    run('rm -r other; ln -s there other')
    await undoTurn(shadow, { signal })
    expect(run('find . | sort').split('\n')).toEqual([
      ...['.', './a', './link', './other', './there', './there/in', ''],
    ])
  })

  it('creates no folder over a file or link that the user put there since', async () => {
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

  it('neither restores nor removes the placeholders of a sandbox', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: 'a' } })
    const session = checkpoints()
    run('mkdir before; chmod 1700 before; touch f-before; chmod 1600 f-before')
    await turn(session, 'alone', () =>
      run('mkdir -p during/claim; touch f-during; chmod 1700 during; chmod 1600 f-during; rm -r *before'),
    )
    expect(await listTurns(shadow, { signal })).toEqual([])
    run('mkdir before; chmod 1700 before; touch f-before; chmod 1600 f-before')
    await turn(session, 'with a file', () =>
      run('echo > a; rm -r *before; mkdir late; touch f-late; chmod 1700 late; chmod 1600 f-late'),
    )
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['a'], removed: [], broughtBack: [] })
    expect(run('ls').split('\n')).toEqual(['a', 'during', 'f-during', 'f-late', 'late', ''])
  })

  it('puts no file over a placeholder, because something is mounted on it', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: 'a', kept: 'mine' } })
    await turn(checkpoints(), 'remove', () => run('rm kept; touch kept; chmod 1600 kept'))
    expect(await thrown(() => undoTurn(shadow, { signal }))).toMatchObject({
      code: 'conflict',
      message: 'nothing was restored: in the way and not saved: kept',
    })
    expect(readdirSync(shadow.path)).not.toContain('staging')
    run('rm kept')
    expect(await undoTurn(shadow, { signal })).toMatchObject({ broughtBack: ['kept'] })
    expect(run('cat kept')).toBe('mine')
  })

  it('keeps the working folder', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { a: 'a\n' }, cwd: 'made/here' })
    await turn(checkpoints(), 'make', () => run('mkdir -p made/here/below; echo x > made/here/below/x'))
    await undoTurn(shadow, { signal })
    expect(readdirSync(join(root, 'made'), { recursive: true })).toEqual(['here'])
    run('rmdir made/here made')
    await turn(checkpoints(), 'make', () => run('mkdir -p made/here/below'))
    await undoTurn(shadow, { signal })
    expect(readdirSync(join(root, 'made'), { recursive: true })).toEqual(['here'])
  })
})
