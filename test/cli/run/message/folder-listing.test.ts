import { expect, it } from 'vitest'
import {
  attachFolder,
  describeFolder,
  mentionedFolders,
} from '../../../../src/cli/run/message/folder-listing.ts'
import { folderWith } from '../../../support/folders/folder.ts'

it('lists the folders that a prompt mentions, without what the rules hide', async () => {
  const cwd = await folderWith({
    'src/b.ts': '',
    'src/a.ts': '',
    'src/deep/c.ts': '',
    'src/.env': '',
    'my docs/d': '',
  })
  const folders = mentionedFolders('look at @src/ and @src, then @"my docs", @src/a.ts and @gone/', cwd)
  expect(folders).toEqual([{ folder: 'src' }, { folder: 'my docs' }])
  const shown = folders.map((one) => attachFolder(one, cwd, (path) => !path.endsWith('.env')))
  expect(shown).toEqual([
    { type: 'text', text: '<folder path="src">\na.ts\nb.ts\ndeep/\n</folder>' },
    { type: 'text', text: '<folder path="my docs">\nd\n</folder>' },
  ])
  expect(folders.map((one) => describeFolder(one, cwd))).toEqual(['src/ · 4 entries', 'my docs/ · 1 entry'])
})

it('lists at most 500 entries, and says when there are none', async () => {
  const many = Object.fromEntries(Array.from({ length: 503 }, (_, i) => [`many/${1000 + i}`, '']))
  const cwd = await folderWith({ ...many, 'none/x/y': '' })
  const listed = attachFolder({ folder: 'many' }, cwd, () => true)
  expect(listed).toMatchObject({
    text: expect.stringMatching(/1000\n[\s\S]*1499\n\[… 3 more\]\n<\/folder>$/),
  })
  expect(attachFolder({ folder: 'none' }, cwd, () => false)).toMatchObject({
    text: expect.stringContaining('[it is empty]'),
  })
})
