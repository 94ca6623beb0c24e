import { describe, expect, it } from 'vitest'
import { diffTurns } from '../../../src/git/checkpoints/turn-diff.ts'
import { undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { never, openProject, turn } from '../project.ts'

const signal = never()
const session = 'one'

describe('the diff of turns', () => {
  it('is that of the last one, or of all, from the working folder', async () => {
    const { checkpoints, run, shadow } = await openProject({ files: { 'a.txt': 'one\n', 'b.txt': 'b\n' } })
    const saving = checkpoints()
    const files = async (turns: number | 'all') =>
      (await diffTurns(shadow, { session, turns, signal }))?.files
    expect(await files(1)).toBeUndefined()
    await turn(saving, 'first', () => run('echo two >> a.txt'))
    await turn(saving, 'second', () => run('echo new > c.txt; rm b.txt'))
    expect(await files(1)).toEqual([
      { path: 'b.txt', added: 0, removed: 1 },
      { path: 'c.txt', added: 1, removed: 0 },
    ])
    expect(await files('all')).toEqual([
      { path: 'a.txt', added: 1, removed: 0 },
      { path: 'b.txt', added: 0, removed: 1 },
      { path: 'c.txt', added: 1, removed: 0 },
    ])
    const { text = '' } = (await diffTurns(shadow, { session, turns: 'all', signal })) ?? {}
    expect(text).toContain('diff --git a/a.txt b/a.txt\n')
    expect(text).toContain('+two\n')
  })

  it('leaves out a turn that was undone', async () => {
    const { checkpoints, run, shadow } = await openProject({ files: { 'a.txt': 'one\n' } })
    const saving = checkpoints()
    await turn(saving, 'first', () => run('echo two >> a.txt'))
    await turn(saving, 'second', () => run('echo new > c.txt'))
    await undoTurn(shadow, { session, signal })
    const diff = await diffTurns(shadow, { session, turns: 1, signal })
    expect(diff?.files).toEqual([{ path: 'a.txt', added: 1, removed: 0 }])
  })
})
