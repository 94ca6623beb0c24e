import { describe, expect } from 'vitest'
import { keep } from '../../src/git/checkpoints/stack.ts'
import { type CommitNotes, notesOf } from '../../src/git/commit-notes.ts'
import { treeOf } from '../../src/git/tree/commit-tree.ts'
import { quickIt as it, slowIt } from '../support/thorough.ts'
import { openProject, turn } from './project.ts'

/** Keeps notes with a commit and reads them back. */
async function roundTrip(notes: CommitNotes) {
  const { shadow, checkpoints, run } = await openProject({ files: { a: 'a' } })
  await turn(checkpoints(), 'begin', () => run('echo > a'))
  const [made = ''] = (await shadow.git(['for-each-ref', '--format=%(objectname)'])).split('\n')
  const label = { label: 'noted', at: 0 }
  const commit = await keep(shadow, { ...notes, tree: await treeOf(shadow, made), turn: label })
  const body = await shadow.git(['show', '-s', '--format=%b', commit])
  return { body: body.trim(), notes: await notesOf(shadow, commit) }
}

const empty: CommitNotes = { modes: new Map(), folders: new Map(), ignoredFiles: [], unsaved: [] }

describe('the notes of a commit', () => {
  it('are kept as one JSON list, and read back', async () => {
    const notes: CommitNotes = {
      modes: new Map([['secret', 0o600]]),
      folders: new Map([
        ['bare/', 'plain'],
        ['mount/', 'placeholder'],
      ]),
      ignoredFiles: ['big.bin'],
      unsaved: [{ name: 'nested/', why: 'too large' }],
    }
    expect(await roundTrip(notes)).toEqual({
      body: '[["secret",384],["bare/",0],["mount/",512],["big.bin"],["nested/","too large"]]',
      notes,
    })
  })

  it('are none if there is nothing to note', async () => {
    expect(await roundTrip(empty)).toEqual({ body: '', notes: empty })
  })

  slowIt('say that the folders were too many', async () => {
    const notes: CommitNotes = { ...empty, folders: 'too_many' }
    expect(await roundTrip(notes)).toEqual({ body: '[["./",0]]', notes })
  })

  slowIt('that do not fit in a message keep what was not saved, but neither modes nor folders', async () => {
    const folders = Array.from(
      { length: 5_000 },
      (_, i) => [`a-folder-with-a-long-name-${i}/`, 'plain'] as const,
    )
    const left = { ignoredFiles: ['big.bin'], unsaved: [{ name: '', why: 'too many files' }] }
    const notes: CommitNotes = { ...left, modes: new Map([['a', 0o600]]), folders: new Map(folders) }
    const kept = await roundTrip(notes)
    expect(kept.notes).toEqual({ ...left, modes: new Map(), folders: 'too_many' })
  })
})
