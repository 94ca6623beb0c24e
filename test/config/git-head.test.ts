import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBranch, readCommit } from '../../src/config/git-head.ts'
import { folderWith } from '../support/folders/folder.ts'

describe('the branch', () => {
  it.each([
    ['of a repository', { '.git/HEAD': 'ref: refs/heads/main\n' }, '.', 'main'],
    ['with slashes', { '.git/HEAD': 'ref: refs/heads/fix/the-login\n' }, '.', 'fix/the-login'],
    ['read from a subfolder', { '.git/HEAD': 'ref: refs/heads/main\n', 'a/b/x': '' }, 'a/b', 'main'],
    [
      'of a submodule, which points to it by a relative path',
      { 'sub/.git': 'gitdir: ../.git/modules/sub\n', '.git/modules/sub/HEAD': 'ref: refs/heads/dev\n' },
      'sub',
      'dev',
    ],
    ['of a detached head', { '.git/HEAD': '4b825dc642cb6eb9a060e54bf8d69288fbee4904\n' }, '.', undefined],
    ['with an invalid name', { '.git/HEAD': 'ref: refs/heads/x y\u001b[2J\n' }, '.', undefined],
    ['outside a repository', {}, '.', undefined],
    ['of a repository without a head', { '.git/config': '' }, '.', undefined],
    ['of a deleted worktree', { '.git': 'gitdir: /no/such/place\n' }, '.', undefined],
  ])('%s', async (_, files: Readonly<Record<string, string>>, cwd, expected) => {
    expect(readBranch(join(await folderWith(files), cwd))).toBe(expected)
  })

  it('of a worktree, which points to it by an absolute path', async () => {
    const main = await folderWith({ '.git/worktrees/x/HEAD': 'ref: refs/heads/topic\n' })
    const worktree = await folderWith({ '.git': `gitdir: ${main}/.git/worktrees/x\n` })
    expect(readBranch(worktree)).toBe('topic')
  })
})

describe('the current commit', () => {
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)]

  it.each([
    ['a loose ref', { '.git/HEAD': 'ref: refs/heads/a/b\n', '.git/refs/heads/a/b': `${one}\n` }, one],
    [
      'a packed ref',
      {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/packed-refs': `# pack-refs\n${two} refs/heads/main2\n${one} refs/heads/main\n`,
      },
      one,
    ],
    ['a detached HEAD', { '.git/HEAD': `${one}\n` }, one],
    [
      'a worktree, whose refs are in its repository',
      {
        '.git': 'gitdir: own\n',
        'own/HEAD': 'ref: refs/heads/main\n',
        'own/commondir': '../shared\n',
        'shared/refs/heads/main': one,
      },
      one,
    ],
    ['no commit yet', { '.git/HEAD': 'ref: refs/heads/main\n' }, undefined],
    ['no repository', {}, undefined],
  ])('is read from %s', async (_, files, expected) => {
    expect(readCommit(await folderWith(files))).toBe(expected)
  })
})
