import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mainRoot } from '../../../src/config/trust/main-root.ts'
import { folderWith } from '../../support/folders/folder.ts'

/** A folder with the repository `main` and its worktree `tree`. */
async function openRepository() {
  const folder = await realpath(await folderWith())
  const at = (path: string) => join(folder, path)
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: folder })
  git('init', '-q', 'main')
  git('-C', 'main', 'commit', '-q', '--allow-empty', '-m', 'one')
  git('-C', 'main', 'worktree', 'add', '-q', '../tree')
  const home = at('home')
  await mkdir(home)
  /** The root, as a path below the folder. */
  const rootOf = (path: string) => mainRoot(at(path), home).replace(`${folder}/`, '')
  return { folder, at, git, rootOf, home }
}

describe('worktrees of one repository', () => {
  it('have the root of the main one in common', async () => {
    const { git, rootOf, at } = await openRepository()
    git('-C', 'main', 'worktree', 'add', '-q', 'inner/other')
    expect(['main', 'tree', 'main/inner/other'].map(rootOf)).toEqual(['main', 'main', 'main'])
    // As newer versions of git write them, with `worktree.useRelativePaths`.
    writeFileSync(at('tree/.git'), 'gitdir: ../main/.git/worktrees/tree\n')
    writeFileSync(at('main/.git/worktrees/tree/gitdir'), '../../../../tree/.git\n')
    expect(rootOf('tree')).toBe('main')
  })

  it('of a bare one have its folder of worktrees in common, which is the root of no project', async () => {
    const { git, rootOf } = await openRepository()
    git('clone', '-q', '--bare', 'main', 'bare.git')
    git('-C', 'bare.git', 'worktree', 'add', '-q', '../a')
    git('-C', 'bare.git', 'worktree', 'add', '-q', '-b', 'b', '../b')
    expect(['a', 'b', 'bare.git'].map(rootOf)).toEqual([
      'bare.git/worktrees/',
      'bare.git/worktrees/',
      'bare.git',
    ])
  })

  it('share nothing with a main one that is the home folder or holds it', async () => {
    const { at } = await openRepository()
    expect([at('main'), at('main/home')].map((home) => mainRoot(at('tree'), home))).toEqual([
      at('tree'),
      at('tree'),
    ])
  })
})

describe('a folder shares nothing with a repository', () => {
  it.each<[string, (at: (path: string) => string) => void]>([
    ['that does not name it', (at) => writeFileSync(at('evil/.git'), readFileSync(at('tree/.git')))],
    ['whose worktree it links to', (at) => symlinkSync(at('tree/.git'), at('evil/.git'))],
    ['whose worktree has the same .git file', (at) => linkSync(at('tree/.git'), at('evil/.git'))],
    ['that it names itself', (at) => writeFileSync(at('evil/.git'), `gitdir: ${at('main/.git')}\n`)],
    ['whose work tree it names', (at) => writeFileSync(at('evil/.git'), 'gitdir: ../main')],
    [
      'that it reaches by a link',
      (at) => {
        symlinkSync(at('main/.git'), at('evil/git'))
        writeFileSync(at('evil/.git'), `gitdir: ${at('evil/git/worktrees/tree')}\n`)
      },
    ],
    [
      'by files of its own like those that git keeps for a worktree',
      (at) => {
        execFileSync('cp', ['-r', at('main/.git/worktrees/tree'), at('evil/worktrees')])
        writeFileSync(at('evil/worktrees/gitdir'), at('evil/.git'))
        writeFileSync(at('evil/worktrees/commondir'), at('main/.git'))
        writeFileSync(at('evil/.git'), `gitdir: ${at('evil/worktrees')}\n`)
      },
    ],
    ['by an empty .git file', (at) => writeFileSync(at('evil/.git'), '')],
    [
      'by a .git file that is too long',
      (at) => writeFileSync(at('evil/.git'), `gitdir: ${'x'.repeat(10_000)}`),
    ],
    ['by a binary .git file', (at) => writeFileSync(at('evil/.git'), 'gitdir: \0\u0001\u0002')],
  ])('%s', async (_, prepare) => {
    const { at, rootOf } = await openRepository()
    await mkdir(at('evil'))
    prepare(at)
    expect(rootOf('evil')).toBe('evil')
  })

  it('of which it is a copied, moved or pruned worktree', async () => {
    const { at, git, rootOf } = await openRepository()
    execFileSync('cp', ['-r', at('tree'), at('copy')])
    expect(['copy', 'tree'].map(rootOf)).toEqual(['copy', 'main'])
    renameSync(at('tree'), at('moved'))
    expect(rootOf('moved')).toBe('moved')
    git('-C', 'main', 'worktree', 'prune')
    renameSync(at('moved'), at('tree'))
    expect(rootOf('tree')).toBe('tree')
  })

  it('among whose committed files is one like those that git keeps for a worktree', async () => {
    const { at, rootOf } = await openRepository()
    // A repository may bring any file but those in `.git`.
    execFileSync('cp', ['-r', at('main/.git/worktrees'), at('main/worktrees')])
    await mkdir(at('evil'))
    writeFileSync(at('evil/.git'), `gitdir: ${at('main/worktrees/tree')}\n`)
    writeFileSync(at('main/worktrees/tree/gitdir'), at('evil/.git'))
    expect(rootOf('evil')).toBe('main/worktrees/')
    expect(rootOf('main/worktrees')).toBe('main/worktrees')
  })

  it('that it is a submodule or a clone of', async () => {
    const { at, git, rootOf } = await openRepository()
    git('clone', '-q', 'main', 'clone')
    git('-C', 'main', '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', at('clone'), 'sub')
    expect(['clone', 'main/sub'].map(rootOf)).toEqual(['clone', 'main/sub'])
    rmSync(at('main'), { recursive: true })
    expect(rootOf('tree')).toBe('tree')
  })
})
