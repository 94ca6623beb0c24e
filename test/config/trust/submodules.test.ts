import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { submoduleNote } from '../../../src/config/trust/submodules.ts'
import { folderWith } from '../../support/folders/folder.ts'

const listed = ['empty', 'full', 'missing', '../outside', '.', 'with space/sub']
  .map((path, i) => `[submodule "s${i}"]\n\tpath = ${path}\n\turl = ../x\n`)
  .join('')

const empty = { isEmpty: true, where: 'here' }

it('names the submodules that are there without files, or those with files', async () => {
  const folder = await folderWith({
    'project/.gitmodules': listed,
    'project/.git/HEAD': 'ref: x\n',
    'project/full/a': 'a',
    'project/below/b': 'b',
  })
  const root = join(folder, 'project')
  for (const path of ['empty', 'with space/sub', '../outside'])
    mkdirSync(join(root, path), { recursive: true })
  expect(submoduleNote(root, empty)).toBe('submodules without files here: "empty/", "with space/sub/"')
  expect(submoduleNote(join(root, 'below'), { isEmpty: false, where: 'there' })).toBe(
    'submodules without files there: "../full/"',
  )
})

it('says nothing without submodules, and reads no pipe of that name', async () => {
  const root = await folderWith({ '.git/HEAD': 'ref: x\n' })
  expect(submoduleNote(root, empty)).toBe(undefined)
  execFileSync('mkfifo', [join(root, '.gitmodules')])
  expect(submoduleNote(root, empty)).toBe(undefined)
})
