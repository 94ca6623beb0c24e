import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { turnLimits } from '../../../src/git/save-limits.ts'
import { needles, putFiles, putManyFiles } from '../../support/folders/many-files.ts'
import { listing, never, openProject, turn } from '../project.ts'

const id = expect.stringMatching(/^[0-9a-f]{40,64}$/)
const notSaved = (why: string) => ({
  notes: [`what commands change cannot be undone: ${why}`],
  unsaved: 'what commands changed',
})

it('saves and undoes a turn over 10,000 files in time, or notes that it could not', async () => {
  const { root, shadow, checkpoints } = await openProject()
  putManyFiles(root)
  const before = listing(root)
  const [saved] = await turn(checkpoints({ limits: turnLimits }), 'look', () => undefined)
  const late = notSaved('saving the files took longer than 2 s')
  expect([{ id, notes: [] }, late]).toContainEqual(saved)
  const said = await turn(checkpoints(), 'change', () => {
    for (const path of needles) appendFileSync(join(root, path), 'more\n')
  })
  expect(said).toEqual([
    { id, notes: [] },
    { id, notes: [] },
  ])
  await undoTurn(shadow, { signal: never() })
  expect(listing(root)).toEqual(before)
})

it('saves no tree of 20,001 files, and notes why', async () => {
  const { root, checkpoints } = await openProject()
  const paths = Array.from({ length: 20_001 }, (_, i) => `d${i % 100}/f${i}`)
  putFiles(root, paths, '')
  const session = checkpoints()
  const why = 'there are more than 20000 files; list the ones to skip in .gitignore'
  expect(await turn(session, 'one', () => undefined)).toEqual([notSaved(why), { id, notes: [] }])
  const again = { ...notSaved(why), notes: [] }
  expect(await turn(session, 'two', () => undefined)).toEqual([again, { id, notes: [] }])
})
