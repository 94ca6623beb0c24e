import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../src/cli/system-clock.ts'
import { openCommandSandbox, protectedIn } from '../../../../src/cli/wiring/tools/command-sandbox.ts'
import { findDirectories } from '../../../../src/config/directories.ts'
import type { Settings } from '../../../../src/config/settings.ts'
import { protectedNames } from '../../../../src/permission/paths/protected-names.ts'
import { createCommandRunner } from '../../../../src/process/command-runner.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'

const nowhere =
  'bubblewrap (bwrap) is not installed; install it: apt install bubblewrap (or dnf, pacman, zypper, apk add bubblewrap)'

/** Opens the sandbox of these settings on a machine without bubblewrap, or with a fake one. */
async function open(
  settings: Settings,
  more: { readonly works?: boolean; readonly mayChangeMode?: boolean } = {},
) {
  const root = await folderWith()
  const commands = createCommandRunner({ clock: systemClock })
  onTestFinished(() => commands.close())
  const bin = join(root, 'bin')
  if (more.works === true) {
    const { mkdir, symlink } = await import('node:fs/promises')
    await mkdir(bin)
    await symlink('/bin/true', join(bin, 'bwrap'))
  }
  const machine = quietHost(join(root, 'project'), { env: { PATH: bin }, home: root })
  const directories = findDirectories({ PIPE_HOME: join(root, 'pipe') }, root)
  const scratch = join(root, 'scratch')
  const { mayChangeMode = true } = more
  return openCommandSandbox({ machine, settings, directories, commands, scratch, mayChangeMode })
}

it('is on only in auto by default', async () => {
  const { inMode, noteOf } = await open({}, { works: true })
  expect(await Promise.all([inMode('auto'), inMode('default'), inMode('bypass')])).toEqual([
    'workspace-write',
    undefined,
    undefined,
  ])
  expect(await noteOf('auto')).toBeUndefined()
})

it('applies in every mode if set explicitly', async () => {
  const { inMode } = await open({ sandbox: { mode: 'read-only' } }, { works: true })
  expect(await Promise.all([inMode('auto'), inMode('default'), inMode('bypass')])).toEqual(
    Array(3).fill('read-only'),
  )
})

it('throws if set explicitly but not working', async () => {
  await expect(open({ sandbox: { mode: 'workspace-write' } })).rejects.toMatchObject({
    code: 'sandbox',
    message: `commands cannot be run in a sandbox: ${nowhere}`,
  })
})

it('is off in auto if it does not work, and reports that once and only in auto', async () => {
  const { inMode, noteOf } = await open({})
  expect(await inMode('auto')).toBeUndefined()
  expect([await noteOf('default'), await noteOf('auto'), await noteOf('auto')]).toEqual([
    undefined,
    `mode auto asks like default, because commands have no sandbox: ${nowhere}`,
    undefined,
  ])
})

it('is off in every mode if switched off, even if it would work', async () => {
  const { inMode, noteOf, sandbox } = await open({ sandbox: { mode: 'off' } }, { works: true })
  expect([await inMode('auto'), sandbox]).toEqual([undefined, undefined])
  expect(await noteOf('auto')).toBe(
    'mode auto asks like default, because commands have no sandbox: it is switched off',
  )
})

it('is not opened by a run that cannot need it', async () => {
  expect((await open({}, { mayChangeMode: false })).sandbox).toBeUndefined()
  const auto: Settings = { permissions: { mode: 'auto' } }
  expect((await open(auto, { mayChangeMode: false })).sandbox).toBeDefined()
})

it('protects every name of the policy as a folder or a file; shell start files only in the home', () => {
  const { protectedFolders, protectedFiles, ...kept } = protectedIn('/home/u')
  const always = [...protectedNames.folders, ...protectedNames.files].filter((name) => name !== 'git~1')
  const existing = '.ssh .gnupg .codex .cursor .gemini .opencode .hg .jj .sl .zed .mise'.split(' ')
  const files = (
    '.vimrc .nvimrc .nvim.lua .devcontainer.json mise.toml .mise.toml mise.local.toml .mise.local.toml .gdbinit .lldbinit .tmux.conf .pypirc bunfig.toml .bunfig.toml .lefthook.yaml .lefthook-local.yml .lefthook-local.yaml ' +
    'lefthook.yml lefthook.yaml lefthook-local.yml lefthook-local.yaml'
  ).split(' ')
  expect(kept).toEqual({ protectedNames: [...always, ...existing, ...files] })
  const names = [...protectedFolders, ...protectedFiles].map((path) => path.replace('/home/u/', ''))
  const folders = ['.ssh', '.gnupg', '.config', '.local/bin']
  expect(names.sort()).toEqual([...always, ...folders].sort())
  expect(protectedFolders).toEqual(
    expect.arrayContaining([
      '.git',
      '.pipe',
      '.vscode',
      '.idea',
      '.husky',
      '.githooks',
      '.devcontainer',
      '.claude',
    ]),
  )
  expect(protectedFiles).toEqual(
    expect.arrayContaining(['.npmrc', '.envrc', '/home/u/.bashrc', '/home/u/.gitconfig']),
  )
})
