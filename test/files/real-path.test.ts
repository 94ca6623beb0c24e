import { mkdir, symlink } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { followed, realPath, wayOf } from '../../src/files/real-path.ts'
import { type Folder, temporaryFolder } from './folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

it('follows links in every part of a path, even if its end does not exist yet', async () => {
  await mkdir(folder.at('real/inner'), { recursive: true })
  await symlink('real', folder.at('link'))
  await symlink('link/inner/../not-yet', folder.at('dangling'))
  await symlink(folder.at('dangling'), folder.at('absolute'))
  for (const [path, real] of [
    ['link/inner', 'real/inner'],
    ['link/new/folders/file', 'real/new/folders/file'],
    ['dangling', 'real/not-yet'],
    ['absolute/below', 'real/not-yet/below'],
    ['new', 'new'],
  ] as const) {
    expect(await realPath(folder.at(path))).toBe(folder.at(real))
  }
})

it('resolves `..` in a link from the folder that holds the link', async () => {
  await mkdir(folder.at('a/b'), { recursive: true })
  await symlink('a/b', folder.at('to-b'))
  await symlink('to-b/../new', folder.at('dangling'))
  expect(await realPath(folder.at('dangling'))).toBe(folder.at('a/new'))
})

it('returns every path that links lead to on the way', async () => {
  await mkdir(folder.at('a/b'), { recursive: true })
  await symlink('a', folder.at('one'))
  await symlink(folder.at('one'), folder.at('two'))
  await symlink('../two/b/../new', folder.at('a/three'))
  expect(wayOf(folder.at('two/three/x')).map((path) => path.replace(folder.root, ''))).toEqual([
    '/one/three/x',
    '/a/three/x',
    '/two/new/x',
    '/one/new/x',
    '/a/new/x',
  ])
  expect(wayOf(folder.at('a/b'))).toEqual([folder.at('a/b')])
})

it('ends at a loop of links, and at more links than the system follows', async () => {
  await symlink('two', folder.at('one'))
  await symlink('one', folder.at('two'))
  await mkdir(folder.at('chain'))
  for (let i = 0; i < 41; i++) await symlink(`${i + 1}`, folder.at(`chain/${i}`))
  for (const path of ['one', 'one/below', 'chain/0']) {
    expect(wayOf(folder.at(path))).toEqual([folder.at(path)])
    expect(followed(folder.at(path))).toBe(folder.at(path))
  }
  expect(followed(folder.at('chain/1'))).toBe(folder.at('chain/41'))
})

it('throws for a loop of links and for a file used as a folder', async () => {
  await symlink('two', folder.at('one'))
  await symlink('one', folder.at('two'))
  await expect(realPath(folder.at('one/below'))).rejects.toMatchObject({ code: 'ELOOP' })
  await expect(realPath(`${await folder.put('file')}/below`)).rejects.toMatchObject({ code: 'ENOTDIR' })
})
