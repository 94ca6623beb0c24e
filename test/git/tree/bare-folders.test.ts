import { readdirSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'
import { never, openProject, patientLimits, turn } from '../project.ts'

const signal = never()

describe('undoing a turn', () => {
  it('removes folders that the turn created', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { 'src/a.ts': 'a\n' } })
    await turn(checkpoints(), 'make', () => run('mkdir -p new/deep; echo x > new/deep/x'))
    await undoTurn(shadow, { signal })
    expect(readdirSync(root)).not.toContain('new')
  })
  slowIt(
    'keeps folders of the turn that are no longer empty, whether the file in them is ignored or saved',
    async () => {
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
    },
  )

  it('keeps folders that held only ignored files, even if the turn emptied them and changed the rules', async () => {
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

  slowIt('keeps all folders if the turn created more empty ones than files may be saved', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: 'a' } })
    const session = checkpoints({ limits: { ...patientLimits, files: 5 } })
    await turn(session, 'make', () => run('echo > a; for i in 1 2 3 4 5 6; do mkdir -p d/$i; done'))
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['a'], removed: [] })
    expect(run('ls d').split('\n')).toHaveLength(7)
  })
})
