import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stampOf } from '../../../src/git/worktrees/file-stamp.ts'
import { folderWith } from '../../support/folders/folder.ts'

it('a stamp changes with a file that is added, changed or removed, at any depth', async () => {
  const root = await folderWith({ 'a.txt': 'a', 'out/deep/b.txt': 'b', 'other.txt': 'o' })
  const stamp = () => stampOf(root, ['a.txt', 'out/', 'missing'])
  const stamps = [await stamp()]
  expect(await stamp()).toBe(stamps[0])
  writeFileSync(join(root, 'other.txt'), 'not asked for')
  expect(await stamp()).toBe(stamps[0])
  appendFileSync(join(root, 'out/deep/b.txt'), 'more')
  stamps.push(await stamp())
  writeFileSync(join(root, 'out/deep/c.txt'), '')
  stamps.push(await stamp())
  rmSync(join(root, 'a.txt'))
  stamps.push(await stamp())
  expect(new Set(stamps).size).toBe(4)
})
