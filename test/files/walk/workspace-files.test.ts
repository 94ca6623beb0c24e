import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { workspaceFiles } from '../../../src/files/walk/workspace-files.ts'
import { folderWith } from '../../support/folders/folder.ts'

const { signal } = new AbortController()

it('lists the files of a folder by their paths in it, without ignored ones', async () => {
  const folder = await folderWith({
    '.gitignore': 'dist/\n*.log\n',
    'a b.ts': '',
    'src/deep/c.ts': '',
    'dist/d.js': '',
    'e.log': '',
  })
  const paths: string[] = []
  for await (const path of workspaceFiles(folder).list(signal)) paths.push(path)
  expect(paths.sort()).toEqual(['.gitignore', 'a b.ts', 'src/deep/c.ts'])
})

it('orders files by the time of their last change', async () => {
  const folder = await folderWith({ 'a.ts': '', 'src/b.ts': '', 'c.ts': '' })
  await utimes(join(folder, 'src/b.ts'), 3, 3)
  await utimes(join(folder, 'a.ts'), 2, 2)
  await utimes(join(folder, 'c.ts'), 1, 1)
  expect(await workspaceFiles(folder).newest(['c.ts', 'a.ts', 'src/b.ts', 'gone.ts'], signal)).toEqual([
    'src/b.ts',
    'a.ts',
    'c.ts',
  ])
})

it('names a file by its path in the folder, however it was named', async () => {
  const { nameOf } = workspaceFiles('/work/here')
  const names = ['a.ts', './src/../a.ts', '/work/here/src/b.ts', '/work/c.ts', '../c.ts', '/work/here']
  expect(names.map(nameOf)).toEqual(['a.ts', 'a.ts', 'src/b.ts', undefined, undefined, undefined])
})
