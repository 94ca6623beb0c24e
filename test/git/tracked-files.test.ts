import { execFileSync } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trackedFiles } from '../../src/git/tracked-files.ts'
import { indexPaths } from '../../src/git/tree/index-paths.ts'
import { folderWith } from '../support/folders/folder.ts'

const author = ['-c', 'user.name=a', '-c', 'user.email=a@b']

function git(cwd: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...author, ...args], { cwd, env, encoding: 'utf8' })
}

const files = {
  '.env': 'KEY=1',
  'a b.txt': 'a',
  'src/deep/ö.ts': 'o',
  'src/deep/öl.ts': 'o',
  [`${'z'.repeat(200)}/${'z'.repeat(200)}`]: 'z',
}
const names = Object.keys(files).sort()

/** A new repository with these files in the index, and `more.txt` outside it. */
async function repository(...options: readonly string[]): Promise<string> {
  const root = await folderWith({ ...files, 'more.txt': 'm' })
  git(root, 'init', '-q', ...options)
  git(root, 'add', '--', ...names)
  return root
}

/** The index as git itself lists it. */
function listed(root: string): readonly string[] {
  return git(root, 'ls-files', '-z').split('\0').filter(Boolean)
}

describe('the tracked files', () => {
  it.each(['2', '3', '4'])('are read from an index of version %s', async (version) => {
    const root = await repository()
    if (version === '3') git(root, 'add', '--intent-to-add', 'more.txt')
    else git(root, 'update-index', '--index-version', version)
    expect(readFileSync(join(root, '.git/index')).readUInt32BE(4)).toBe(Number(version))
    const paths = listed(root)
    expect(paths.includes('more.txt')).toBe(version === '3')
    expect(await trackedFiles(root)).toMatchObject({ root, paths })
  })

  it('are read from a repository with SHA-256 ids', async () => {
    const root = await repository('--object-format=sha256')
    expect(await trackedFiles(root)).toMatchObject({ root, paths: listed(root) })
  })

  it('are read from an index with extensions, starting in a subfolder', async () => {
    const root = await repository()
    git(root, 'commit', '-qm', 'first')
    git(root, 'config', 'core.untrackedCache', 'true')
    git(root, 'status')
    expect(await trackedFiles(join(root, 'src/deep'))).toMatchObject({ root, paths: listed(root) })
  })

  it('name a file once for each side of a conflict', async () => {
    const root = await repository()
    git(root, 'commit', '-qm', 'first')
    git(root, 'checkout', '-qb', 'other')
    writeFileSync(join(root, '.env'), 'KEY=2')
    git(root, 'commit', '-qam', 'other')
    git(root, 'checkout', '-q', '-')
    writeFileSync(join(root, '.env'), 'KEY=3')
    git(root, 'commit', '-qam', 'third')
    expect(() => git(root, 'merge', 'other')).toThrow()
    const found = await trackedFiles(root)
    expect(found?.paths?.filter((path) => path === '.env')).toEqual(['.env', '.env', '.env'])
  })

  it('are those of a linked work tree, and of a submodule', async () => {
    const root = await repository()
    git(root, 'commit', '-qm', 'first')
    const tree = join(await folderWith(), 'tree')
    git(root, 'worktree', 'add', '-q', tree)
    git(tree, 'rm', '-q', '.env')
    expect(await trackedFiles(tree)).toMatchObject({ root: tree, paths: listed(tree) })
    git(tree, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', root, 'sub')
    expect(await trackedFiles(join(tree, 'sub', 'src'))).toMatchObject({
      root: join(tree, 'sub'),
      paths: listed(root),
    })
    expect(await trackedFiles(tree)).toEqual({ root: tree, paths: listed(tree), submodules: ['sub'] })
  })

  it('are read wherever the git folder is', async () => {
    const root = await repository()
    git(root, 'init', '-q', '--separate-git-dir', join(root, 'kept'))
    expect(await trackedFiles(root)).toMatchObject({ root, paths: listed(root) })
  })

  it('are none in a new repository, and undefined outside one', async () => {
    const root = await folderWith({ '.env': 'KEY=1', 'no/.git/config': '' })
    expect(await trackedFiles(root)).toBeUndefined()
    expect(await trackedFiles(join(root, 'not', 'there'))).toBeUndefined()
    expect(await trackedFiles(join(root, 'no'))).toBeUndefined()
    git(root, 'init', '-q')
    expect(await trackedFiles(root)).toEqual({ root, paths: [], submodules: [] })
  })
})

describe('the tracked files are unknown', () => {
  it.each<[string, (root: string) => void]>([
    ['if the index is split', (root) => git(root, 'update-index', '--split-index')],
    ['if the index is truncated', (root) => truncateSync(join(root, '.git/index'), 200)],
    ['if the index is empty', (root) => truncateSync(join(root, '.git/index'), 0)],
    ['if the index is too large', (root) => truncateSync(join(root, '.git/index'), 60_000_000)],
    [
      'if the index is missing',
      (root) => {
        git(root, 'commit', '-qm', 'first')
        execFileSync('rm', [join(root, '.git/index')])
      },
    ],
    [
      'if the index is sparse',
      (root) => {
        git(root, 'commit', '-qm', 'first')
        git(root, 'sparse-checkout', 'init', '--cone', '--sparse-index')
      },
    ],
    [
      'if the file in place of the git folder is too large',
      (root) => {
        git(root, 'init', '-q', '--separate-git-dir', join(root, 'kept'))
        truncateSync(join(root, '.git'), 100_000)
      },
    ],
  ])('%s', async (_, change) => {
    const root = await repository()
    change(root)
    expect(await trackedFiles(root)).toEqual({ root })
  })

  it('in a bare repository', async () => {
    const root = await folderWith()
    git(root, 'init', '-q', '--bare')
    expect(await trackedFiles(root)).toEqual({ root })
    expect(await trackedFiles(join(root, 'refs'))).toEqual({ root })
  })
})

describe('an index', () => {
  it('with arbitrary bytes is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(2, 3, 4), (bytes, version) => {
        const head = Buffer.from([0x44, 0x49, 0x52, 0x43, 0, 0, 0, version, 0, 0, 0, 1])
        const paths = indexPaths(Buffer.concat([head, bytes]))
        expect(paths === undefined || paths.paths.length === 1).toBe(true)
      }),
    )
  })

  it('truncated anywhere is refused', async () => {
    const root = await repository()
    git(root, 'update-index', '--index-version', '4')
    const whole = readFileSync(join(root, '.git/index'))
    for (let size = 0; size < whole.length; size++)
      expect(indexPaths(whole.subarray(0, size))).toBeUndefined()
  })
})
