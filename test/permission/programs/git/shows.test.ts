import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Pathspec, TrackedWalk } from '../../../../src/permission/command-line.ts'
import { testReader } from '../../../support/permission/policy.ts'

const context = { cwd: '/home/user/proj', home: '/home/user' }

const spec = (text: string, more: Partial<Pathspec> = {}): Pathspec => ({
  text,
  isFromRoot: false,
  isExcluded: false,
  ...more,
})

/** The walk of a git command that runs in the project. */
const limited = (pathspecs: readonly Pathspec[], words: readonly string[] = []): TrackedWalk => ({
  path: context.cwd,
  pathspecs,
  words,
})

describe('what git shows of tracked files', () => {
  it.each<[string, TrackedWalk]>([
    ['git diff', limited([])],
    ['git log -p main..', limited([], ['main..'])],
    ['git diff HEAD src', limited([], ['HEAD', 'src'])],
    ['git diff HEAD -- src', limited([spec('src')])],
    ['git diff -S x y', limited([], ['y'])],
    ['git log -p --author x y', limited([])],
    ['git log -p --author x -- y', limited([spec('y')])],
    ['git log -p --full-diff -- y', limited([])],
    ["git diff . ':!a'", limited([spec('a', { isExcluded: true })], ['.'])],
    [
      "git diff -- ':^a' ':(exclude)b' ':/!c' ':!/d'",
      limited([
        spec('a', { isExcluded: true }),
        spec('b', { isExcluded: true }),
        spec('c', { isExcluded: true, isFromRoot: true }),
        spec('d', { isExcluded: true, isFromRoot: true }),
      ]),
    ],
    // With `glob`, a star matches less, so the pattern excludes less.
    ["git diff -- ':(exclude,glob)*'", limited([spec('*')])],
    [
      "git diff -- ':(top,icase)a' ':/b'",
      limited([spec('a', { isFromRoot: true }), spec('b', { isFromRoot: true })]),
    ],
    ['git show :/text', limited([])],
    ['git show HEAD:a :0:b', limited([spec('a', { isFromRoot: true }), spec('b', { isFromRoot: true })])],
    ['git show HEAD:./a', limited([spec('./a')])],
    ['git show HEAD:a HEAD', limited([])],
    ['git show HEAD:a..HEAD:b', limited([])],
    ['git show HEAD:a..HEAD:b -- c', limited([])],
    ['git log -p :a', limited([], [':a'])],
    ['git diff HEAD:a', limited([])],
    ['git log -L1,2:a -L:f:b', limited([spec('a'), spec('b')])],
    ['git grep x a', limited([], ['a'])],
    ['git grep -e x a', limited([], ['a'])],
    ['git grep x -- a', limited([spec('a')])],
    ['git grep -- x', limited([])],
    ['git archive HEAD a', limited([spec('a')])],
    ['git -C sub diff', { ...limited([]), path: '/home/user/proj/sub' }],
    ['git -C sub -C .. diff', limited([])],
    ['git --git-dir=x diff', { ...limited([]), path: undefined }],
  ])('%s', async (line, expected) => {
    const { walks } = await testReader.read(line, context)
    expect(walks).toContainEqual(expect.objectContaining(expected))
    // A second entry comes from the command without the options before its subcommand.
    expect(walks.length).toBe(line.startsWith('git -') ? 2 : 1)
  })

  it.each<[string, readonly string[]]>([
    ['git diff HEAD src', ['HEAD', 'src']],
    ['git diff -- ../a /b', ['../a', '/b']],
    ["git diff '*.ts'", ['*.ts']],
    ['git diff -S x y', []],
    ['git diff src', []],
    ['git log -p HEAD src', []],
  ])('%s: lists the paths to compare if they are outside the repository', async (line, paths) => {
    const compared = paths.map((path) => resolve(context.cwd, path))
    const { walks } = await testReader.read(line, context)
    expect(walks.map((walk) => ('compared' in walk ? walk.compared : []))).toEqual([compared])
  })

  it('git diff --no-index: lists only the folders', async () => {
    const { walks } = await testReader.read('git diff --no-index a ../b', context)
    expect(walks).toEqual([
      { path: '/home/user/proj/a', hidden: true },
      { path: '/home/user/b', hidden: true },
    ])
  })

  it.each(['git status', 'git log', 'git show --stat', 'git diff --name-only', 'git push', 'git x', 'git'])(
    '%s: shows nothing',
    async (line) => {
      expect((await testReader.read(line, context)).walks).toEqual([])
    },
  )
})
