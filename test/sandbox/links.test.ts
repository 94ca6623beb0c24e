import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { linksIn } from '../../src/sandbox/links.ts'
import { folderWith } from '../support/folders/folder.ts'
import { createSandboxedProject, hasBubblewrap } from './sandboxed-project.ts'

const repository = { 'project/.git/HEAD': 'ref: refs/heads/main\n', 'project/src/x': '' }

/** A link in a project, a command that tries to change its target, and the target's path. */
const links: readonly (readonly [string, string, string])[] = [
  ['.pipe/config.json -> ../cfg/c.json', 'echo EVIL > cfg/c.json', 'cfg/c.json'],
  ['.pipe/config.json -> ../cfg/c.json', 'echo EVIL > e; mv e cfg/c.json', 'cfg/c.json'],
  ['.pipe/config.json -> ../cfg/c.json', 'mv cfg d; mkdir cfg; echo EVIL > cfg/c.json', 'cfg/c.json'],
  ['.pipe/config.json -> ../later.json', 'echo EVIL > later.json', 'later.json'],
  ['.pipe/deep/config.json -> ../../cfg/c.json', 'echo EVIL > cfg/c.json', 'cfg/c.json'],
  ['.git/config -> ../gc', 'echo EVIL > gc', 'gc'],
  ['.git/hooks -> ../mine', 'echo EVIL > mine/pre-commit', 'mine/pre-commit'],
  ['.git/hooks -> ../later', 'mkdir later; echo EVIL > later/pre-commit', 'later/pre-commit'],
  ['.git/hooks/pre-push -> ../../cfg/push', 'echo EVIL > cfg/push', 'cfg/push'],
]

describe.skipIf(!hasBubblewrap)('the target of a link in a protected folder', () => {
  it.each(links)('stays unchanged: %s: %s', async (link, command, target) => {
    const files = { 'project/cfg/c.json': 'mine', 'project/cfg/push': 'mine', 'project/gc': 'mine' }
    const { project, bash } = await createSandboxedProject({
      ...repository,
      ...files,
      'project/mine/pre-commit': 'mine',
    })
    const [at = '', to = ''] = link.split(' -> ')
    await mkdir(dirname(join(project, at)), { recursive: true })
    await symlink(to, join(project, at))
    const before = await readFile(join(project, target), 'utf8').catch(() => '')
    await bash(command)
    expect(await readFile(join(project, target), 'utf8').catch(() => '')).toBe(before)
    expect((await bash('echo y > src/x && echo y > new')).exitCode).toBe(0)
  })

  it('stays unchanged if it is another link, which cannot be replaced', async () => {
    const { project, bash } = await createSandboxedProject({
      ...repository,
      'project/real': 'mine',
      'project/evil': 'EVIL',
    })
    await mkdir(join(project, 'way'))
    await symlink('../real', join(project, 'way/hook'))
    await mkdir(join(project, '.git/hooks'))
    await symlink('../../way/hook', join(project, '.git/hooks/pre-commit'))
    await bash('ln -sf ../evil way/hook; rm way/hook; echo EVIL > real')
    expect(await readFile(join(project, '.git/hooks/pre-commit'), 'utf8')).toBe('mine')
  })

  it('may change if it contains the protected folder', async () => {
    const { project, bash } = await createSandboxedProject({ 'project/.pipe/config.json': 'mine' })
    await symlink('..', join(project, '.pipe/here'))
    expect((await bash('echo x > f')).exitCode).toBe(0)
    expect(await readdir(project)).toContain('f')
  })
})

it('finds links directly in a folder and its subfolders; in a repository, only in hooks', async () => {
  const root = await folderWith({
    'a/.git/HEAD': '',
    'a/.git/hooks/x': '',
    'a/.git/objects/x': '',
    'b/c/d/x': '',
  })
  for (const at of [
    'a/.git/config',
    'a/.git/hooks/pre-push',
    'a/.git/objects/l',
    'b/l',
    'b/c/l',
    'b/c/d/l',
  ]) {
    await symlink('x', join(root, at))
  }
  const found = ['a/.git', 'b', 'none', 'b/l'].map((name) =>
    linksIn(join(root, name)).map((path) => path.slice(root.length + 1)),
  )
  expect(found).toEqual([['a/.git/config', 'a/.git/hooks/pre-push'], ['b/l', 'b/c/l'], [], []])
})
