import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { nameFinder } from '../../src/sandbox/name-finder.ts'
import { folderWith } from '../support/folders/folder.ts'
import { createSandboxedProject, hasBubblewrap } from './sandboxed-project.ts'

const names = ['.git', '.npmrc']

/** Searches a folder on each call and returns relative paths. */
function finderIn(root: string) {
  const find = nameFinder(names, systemClock)
  return () => find(root).map((path) => path.slice(root.length + 1))
}

it('finds names up to three folders down, nearest first, but not in node_modules, links or results', async () => {
  const root = await folderWith({
    '.npmrc': '',
    'a/b/c/.npmrc': '',
    'a/b/c/d/.npmrc': '',
    'a/.git/.npmrc': '',
    'b/.npmrc': '',
    'node_modules/x/.npmrc': '',
  })
  await symlink('a', join(root, 'link'))
  expect(finderIn(root)()).toEqual(['.npmrc', 'a/.git', 'b/.npmrc', 'a/b/c/.npmrc'])
})

it('sees additions and removals between searches, earlier results first', async () => {
  const root = await folderWith({ 'a/b/f': '' })
  const find = finderIn(root)
  const steps = [
    () => mkdir(join(root, 'a/b/.git')),
    () => writeFile(join(root, 'a/.npmrc'), ''),
    () => mkdir(join(root, 'c')),
    () => writeFile(join(root, 'c/.npmrc'), ''),
    () => rm(join(root, 'a/b'), { recursive: true }),
  ]
  const seen = [find()]
  for (const step of steps) {
    await step()
    seen.push(find())
  }
  expect(seen).toEqual([
    [],
    ['a/b/.git'],
    ['a/b/.git', 'a/.npmrc'],
    ['a/b/.git', 'a/.npmrc'],
    ['a/b/.git', 'a/.npmrc', 'c/.npmrc'],
    ['a/.npmrc', 'c/.npmrc'],
  ])
})

it('finds earlier results again, however many new ones come before them', async () => {
  const root = await folderWith({ 'z/z/.npmrc': '', 'z/z/z/.npmrc': '' })
  const find = finderIn(root)
  const first = ['z/z/.npmrc', 'z/z/z/.npmrc']
  expect(find()).toEqual(first)
  for (let i = 0; i < 1_050; i++) await mkdir(join(root, `A${i}`))
  expect(find()).toEqual(first)
  for (let i = 0; i < 70; i++) await writeFile(join(root, `A${i}/.npmrc`), '')
  const found = find()
  expect([found.slice(0, 2), found.length]).toEqual([first, 64])
})

it('drops an earlier result that is now behind a link', async () => {
  const root = await folderWith({ 'a/.npmrc': '' })
  const find = finderIn(root)
  expect(find()).toEqual(['a/.npmrc'])
  await rename(join(root, 'a'), join(root, 'b'))
  await symlink('b', join(root, 'a'))
  expect(find()).toEqual(['b/.npmrc'])
})

it('tells apart two folders with the same change time when they swap places', async () => {
  const root = await folderWith({ 'p/f': '', 'q/f': '' })
  // A clock far ahead, so that every folder counts as settled.
  const find = nameFinder(names, { now: () => systemClock.now() + 60_000 })
  const name = makeTwins(root)
  expect(find(root)).toEqual([join(root, 'p', name, '.npmrc')])
  await rename(join(root, 'p'), join(root, 'r'))
  await rename(join(root, 'q'), join(root, 'p'))
  await rename(join(root, 'r'), join(root, 'q'))
  expect(find(root)).toEqual([join(root, 'q', name, '.npmrc')])
})

/** Makes folders of the same name and change time in `p` and `q`. Only the first holds a wanted name. */
function makeTwins(root: string): string {
  for (let tries = 0; ; tries++) {
    const [one, other] = [join(root, 'p', `${tries}`), join(root, 'q', `${tries}`)]
    for (const folder of [one, other]) mkdirSync(folder)
    writeFileSync(join(one, '.npmrc'), '')
    writeFileSync(join(other, 'f'), '')
    if (statSync(one).ctimeMs === statSync(other).ctimeMs) return `${tries}`
    for (const folder of [one, other]) rmSync(folder, { recursive: true })
  }
}

it('finds at most 64, and walks at most 1,000 folders', async () => {
  const root = await folderWith({ 'z/.npmrc': '' })
  for (let i = 0; i < 1_100; i++) await mkdir(join(root, `f${i}/.git`), { recursive: true })
  expect(finderIn(root)()).toHaveLength(64)
  expect(finderIn(join(root, 'none'))()).toEqual([])
})

describe.skipIf(!hasBubblewrap)('protected names below a project', () => {
  const files = {
    'project/pkg/.npmrc': 'mine',
    'project/pkg/.git/config': 'mine',
    'project/pkg/.git/hooks/pre-commit': 'mine',
    'project/pkg/deep/.pipe/config.json': 'mine',
  }

  it.each(Object.keys(files))('keep %s unchanged', async (name) => {
    const { root, bash } = await createSandboxedProject(files)
    const path = name.slice('project/'.length)
    const tries = [
      `echo EVIL > ${path}`,
      `rm -rf pkg; mkdir -p $(dirname ${path}); echo EVIL > ${path}`,
      `mv pkg p; echo EVIL > ${path.replace('pkg', 'p')}; failed=$?; mv p pkg; exit $failed`,
    ]
    for (const line of tries) expect([line, (await bash(line)).exitCode]).toEqual([line, 1])
    expect(await readFile(join(root, name), 'utf8')).toBe('mine')
    expect((await bash('echo x > pkg/f && echo x > pkg/deep/f && mkdir -p new/deep')).exitCode).toBe(0)
  })

  it('protect what an earlier command made', async () => {
    const { project, bash } = await createSandboxedProject()
    expect((await bash('mkdir -p new/.git && echo first > new/.git/config')).exitCode).toBe(0)
    expect((await bash('echo EVIL > new/.git/config')).exitCode).toBe(1)
    expect(await readFile(join(project, 'new/.git/config'), 'utf8')).toBe('first\n')
  })

  it('protect the target of a link, and leave its folder writable', async () => {
    const { project, bash } = await createSandboxedProject({ 'project/cfg': 'mine', 'project/pkg/f': '' })
    await symlink('../cfg', join(project, 'pkg/.npmrc'))
    expect((await bash('echo x > pkg/f; echo EVIL > pkg/.npmrc || echo EVIL > cfg')).exitCode).toBe(1)
    expect(await readFile(join(project, 'cfg'), 'utf8')).toBe('mine')
  })
})
