import { chmod, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { nameFinder } from '../../src/sandbox/name-finder.ts'
import { planAccesses } from '../../src/sandbox/plan-accesses.ts'
import type { SandboxProfile } from '../../src/sandbox/profile.ts'
import { folderWith } from '../support/folders/folder.ts'
import { closedProfile } from './profile.ts'

const profile = {
  ...closedProfile,
  protectedNames: ['.git', '.pipe', '.npmrc'],
  protectedFolders: ['.git', '.pipe'],
}

/** Plans accesses and returns them with paths relative to the root. */
async function plan(root: string, more: Partial<SandboxProfile>, isQuiet = true) {
  const whole = { ...profile, ...more }
  const accesses = await planAccesses(whole, { find: nameFinder(whole.protectedNames, systemClock), isQuiet })
  return [...accesses].map(([path, access]) => `${access} ${path.slice(root.length + 1)}`)
}

it('makes nothing writable in read-only mode', async () => {
  const root = await folderWith({ 'a/f': '' })
  expect(await plan(root, { mode: 'read-only', writable: [root] })).toEqual([])
})

it('skips missing folders and follows links to folders', async () => {
  const root = await folderWith({ 'a/f': '' })
  await symlink(join(root, 'a'), join(root, 'link'))
  expect(
    await plan(root, { writable: [join(root, 'none'), join(root, 'link')], protectedFolders: [] }),
  ).toEqual(['write a'])
})

it("lists every folder before its contents, even if a sibling's name sorts between", async () => {
  const root = await folderWith({ 'a/.git/f': '', 'a-b/f': '', 'a/c/.git/f': '' })
  const writable = ['a/c', 'a-b', 'a'].map((name) => join(root, name))
  expect(await plan(root, { writable, protectedFolders: ['.git'] })).toEqual([
    'write a',
    'read a/.git',
    'write a/c',
    'read a/c/.git',
    'write a-b',
    'empty_folder a-b/.git',
  ])
})

it('keeps a writable folder read-only inside a protected one', async () => {
  const root = await folderWith({ 'a/.git/hooks/f': '' })
  const writable = [join(root, 'a'), join(root, 'a/.git/hooks')]
  expect(await plan(root, { writable, protectedFolders: ['.git'] })).toEqual(['write a', 'read a/.git'])
})

it('keeps the existing folders on the way to a protected name from being renamed', async () => {
  const root = await folderWith({ 'a/x/y/f': '' })
  expect(await plan(root, { writable: [join(root, 'a')], protectedFolders: ['x/y/z', 'n/m'] })).toEqual([
    'write a',
    'empty_folder a/n',
    'write a/x',
    'write a/x/y',
    'empty_folder a/x/y/z',
  ])
})

it('makes a folder with a link at a protected name read-only, except for its subfolders', async () => {
  const root = await folderWith({ 'a/src/f': '', 'a/decoy/deep/f': '', 'a/file': '' })
  await symlink('decoy/deep', join(root, 'a/.pipe'))
  await mkdir(join(root, 'a/.git'))
  expect(await plan(root, { writable: [join(root, 'a')] })).toEqual([
    'frozen a',
    'read a/.git',
    'write a/decoy',
    'read a/decoy/deep',
    'write a/src',
  ])
})

it('protects nothing else for links in a loop or out of the folder', async () => {
  const root = await folderWith({ 'a/f': '', 'b/f': '' })
  await symlink('.pipe', join(root, 'a/.pipe'))
  await symlink('../b', join(root, 'a/.git'))
  expect(await plan(root, { writable: [join(root, 'a')] })).toEqual(['frozen a'])
})

it('hides a folder with its contents, unless it holds a writable one', async () => {
  const root = await folderWith({ 'a/.git/f': '', 'a/s/.git/f': '', 'b/deep/f': '', 'c/f': '' })
  const hidden = ['', 'a', 'a/s', 'b', 'b/deep', 'b/deep/f'].map((name) => join(root, name))
  const writable = ['a', 'c'].map((name) => join(root, name))
  const protectedPaths = [join(root, 'a/s/.git')]
  expect(await plan(root, { writable, protectedFolders: ['.git', ...protectedPaths], hidden })).toEqual([
    'write a',
    'read a/.git',
    'hidden_folder a/s',
    'hidden_folder b',
    'write c',
    'empty_folder c/.git',
  ])
})

it('keeps a protected folder closed around a hidden one', async () => {
  const root = await folderWith({ 'a/.git/keys/f': '', 'a/.git/x/f': '' })
  const writable = [join(root, 'a'), join(root, 'a/.git/x')]
  const hidden = [join(root, 'a/.git/keys')]
  expect(await plan(root, { writable, protectedFolders: ['.git'], hidden })).toEqual([
    'write a',
    'read a/.git',
    'hidden_folder a/.git/keys',
  ])
})

it("treats another process's placeholders as missing", async () => {
  const root = await folderWith({ 'a/.npmrc': '', 'a/.git/config': '' })
  await mkdir(join(root, 'a/.pipe'), { mode: 0o1700 })
  await chmod(join(root, 'a/.npmrc'), 0o1600)
  await chmod(join(root, 'a/.git'), 0o1700)
  expect(await plan(root, { writable: [join(root, 'a')], protectedFiles: ['.npmrc'] })).toEqual([
    'write a',
    'read a/.git',
    'empty_file a/.npmrc',
    'empty_folder a/.pipe',
  ])
})

it('hides a path wherever it lies', async () => {
  const root = await folderWith({ 'a/.git/f': '', 'b/secret': '' })
  const hidden = [join(root, 'a/.git/f'), join(root, 'b/secret'), join(root, 'none')]
  expect(await plan(root, { writable: [join(root, 'a')], protectedFolders: ['.git'], hidden })).toEqual([
    'write a',
    'read a/.git',
    'hidden a/.git/f',
    'hidden b/secret',
  ])
})

it('keeps read-only paths with their contents, even around a working folder', async () => {
  const root = await folderWith({ 'a/f': '', 'a/b/g': '', 'c/d/f': '' })
  const writable = [join(root, 'a'), join(root, 'c/d')]
  const readOnly = ['a/f', 'a/none', 'a/dist/f', 'a/b/g', 'a/b/h', 'a/.pipe', 'c'].map((name) =>
    join(root, name),
  )
  expect(await plan(root, { writable, readOnly })).toEqual([
    'write a',
    'empty_folder a/.git',
    'empty_folder a/.pipe',
    'write a/b',
    'read a/b/g',
    'read a/f',
    'read c/d',
  ])
})

it('mounts nothing writable below a root while a running program could swap in a link', async () => {
  const root = await folderWith({ 'a/x/y/f': '', 'a/pkg/.npmrc': '', 'b/src/f': '' })
  await symlink('src', join(root, 'b/.pipe'))
  const writable = ['a', 'b'].map((name) => join(root, name))
  const kept = await plan(root, { writable, protectedFolders: ['x/y/z', '.pipe'] }, false)
  expect(kept.filter((line) => line.startsWith('write'))).toEqual(['write a'])
  expect(kept).toEqual(expect.arrayContaining(['read a/pkg/.npmrc', 'empty_folder a/x/y/z', 'frozen b']))
})

it('leaves the folders on the way to a found name movable', async () => {
  const root = await folderWith({ 'a/pkg/.npmrc': '', 'a/other/f': '' })
  const kept = await plan(root, { writable: [join(root, 'a')], protectedFolders: [] })
  expect(kept).toEqual(['write a', 'read a/pkg/.npmrc'])
})

it('protects the repository that a .git file names, unless it contains the file or has no HEAD', async () => {
  const root = await folderWith({
    'a/x/.git': 'gitdir: ..',
    'a/y/.git': 'gitdir: ../src',
    'a/src/f': '',
    'a/HEAD': '',
    'a/z/.git': 'gitdir: ../kept',
    'a/kept/HEAD': '',
    'a/v/.git': 'gitdir: ../way',
    'a/way/HEAD': '',
    'a/way/commondir': '..',
  })
  expect(await plan(root, { writable: [join(root, 'a')], protectedFolders: [] })).toEqual([
    'write a',
    'read a/kept',
    'read a/v/.git',
    'read a/x/.git',
    'read a/y/.git',
    'read a/z/.git',
  ])
})
