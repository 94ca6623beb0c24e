import { execFileSync } from 'node:child_process'
import { chmod, mkdir, symlink, utimes } from 'node:fs/promises'
import { relative } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newestFirst } from '../../../src/files/walk/newest.ts'
import { walk } from '../../../src/files/walk/walk.ts'
import { type Folder, temporaryFolder } from '../folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

const signal = new AbortController().signal

async function found(start = '.', pattern?: string): Promise<string[]> {
  const paths: string[] = []
  for await (const path of walk(folder.at(start), {
    signal,
    ...(pattern === undefined ? {} : { pattern }),
  })) {
    paths.push(relative(folder.root, path))
  }
  return paths.sort()
}

it('finds every regular file, including hidden ones, but nothing in .git or behind a symlink', async () => {
  await folder.put('a.ts')
  await folder.put('.hidden/b.ts')
  await folder.put('.git/config')
  await folder.put('deep/.git')
  await symlink('a.ts', folder.at('link'))
  await symlink('.', folder.at('loop'))
  execFileSync('mkfifo', [folder.at('fifo')])
  expect(await found()).toEqual(['.hidden/b.ts', 'a.ts'])
})

it('leaves out what .gitignore files exclude, the nearest one last', async () => {
  await folder.put('.gitignore', 'node_modules/\n*.log\n/only-here\n!keep.log\n')
  await folder.put('node_modules/x/index.js')
  await folder.put('a.log')
  await folder.put('keep.log')
  await folder.put('only-here')
  await folder.put('sub/only-here')
  await folder.put('sub/.gitignore', '!a.log\nlocal\n')
  await folder.put('sub/a.log')
  await folder.put('sub/b.log')
  await folder.put('sub/local')
  await folder.put('sub/deep/local')
  expect(await found()).toEqual(['.gitignore', 'keep.log', 'sub/.gitignore', 'sub/a.log', 'sub/only-here'])
})

it('obeys the .gitignore files above the folder, up to the top of its repository', async () => {
  await folder.put('.git/HEAD')
  await folder.put('.gitignore', '*.tmp\n')
  await folder.put('repo/.gitignore', '*.log\nbuild/\n')
  await mkdir(folder.at('repo/.git'))
  await folder.put('repo/src/a.log')
  await folder.put('repo/src/a.tmp')
  await folder.put('repo/build/out.js')
  await folder.put('a.tmp')
  expect(await found('repo/src')).toEqual(['repo/src/a.tmp'])
  expect(await found('.')).toEqual(['.gitignore', 'repo/.gitignore', 'repo/src/a.tmp'])
})

it('obeys .gitignore files outside repositories', async () => {
  await folder.put('.gitignore', '*.tmp\n')
  await folder.put('src/a.tmp')
  await folder.put('src/a.ts')
  expect(await found('src')).toEqual(['src/a.ts'])
})

it('finds what an ignore file re-includes, but still applies its other rules there', async () => {
  await folder.put('.gitignore', 'dist/\nbuild/\n*.map\n')
  await folder.put('.ignore', '!dist/\n')
  await folder.put('sub/.gitignore', '!build/\n')
  for (const name of ['dist/a.js', 'dist/a.map', 'build/b', 'sub/build/c.js', 'sub/build/c.map'])
    await folder.put(name)
  const kept = ['.gitignore', '.ignore', 'dist/a.js', 'sub/.gitignore', 'sub/build/c.js']
  expect(await found()).toEqual(kept)
})

it('obeys .ignore and .rgignore files, even above the repository, and lets them override', async () => {
  await folder.put('.ignore', '*.tmp\n!keep.log\n')
  await folder.put('repo/.git/HEAD')
  await folder.put('repo/.gitignore', '*.log\n')
  await folder.put('repo/src/.rgignore', '!b.tmp\n')
  for (const name of ['a.tmp', 'b.tmp', 'a.log', 'keep.log', 'a.ts']) await folder.put(`repo/src/${name}`)
  const kept = ['repo/src/.rgignore', 'repo/src/a.ts', 'repo/src/b.tmp', 'repo/src/keep.log']
  expect(await found('repo/src')).toEqual(kept)
})

it('is case-sensitive, skips a byte order mark, and does not wait for a FIFO', async () => {
  await folder.put('.gitignore', '\ufeffa.ts\n')
  execFileSync('mkfifo', [folder.at('.ignore')])
  await folder.put('a.ts')
  await folder.put('A.ts')
  expect(await found()).toEqual(['.gitignore', 'A.ts'])
})

it.each([
  ['{src,build}/**/*.ts', ['src/a.ts', 'src/deep/b.ts']],
  ['{src,build}/a.ts', ['src/a.ts']],
  ['{src/deep,build/deep,src/gone}/*', ['src/deep/b.ts']],
  ['{build,build/deep}/**', []],
])('does not enter ignored folders for the alternatives of %s', async (pattern, expected) => {
  await folder.put('.gitignore', '/build\ngone\n')
  for (const path of ['src/a.ts', 'src/deep/b.ts', 'src/gone/c.ts']) await folder.put(path)
  for (const path of ['build/a.ts', 'build/deep/b.ts']) await folder.put(path)
  expect(await found('.', pattern)).toEqual(expected)
})

it('walks an ignored folder if asked for it, without the rules above it', async () => {
  await folder.put('.gitignore', 'build/\n*.js\n')
  await folder.put('build/.gitignore', '*.map\n')
  await folder.put('build/out.js')
  await folder.put('build/out.map')
  expect(await found('build')).toEqual(['build/.gitignore', 'build/out.js'])
})

it('matches names at any depth without a slash, relative paths with one, and all others with !', async () => {
  await folder.put('.gitignore', 'ignored.ts\n')
  for (const path of ['a.ts', 'a.js', 'src/b.ts', 'src/deep/c.tsx', 'src/ignored.ts']) await folder.put(path)
  expect(await found('.', '*.ts')).toEqual(['a.ts', 'src/b.ts'])
  expect(await found('.', '*.{ts,tsx}')).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.tsx'])
  expect(await found('.', 'src/*.ts')).toEqual(['src/b.ts'])
  expect(await found('.', './*.ts')).toEqual(['a.ts'])
  expect(await found('.', 'src/**')).toEqual(['src/b.ts', 'src/deep/c.tsx'])
  expect(await found('.', '!*.ts')).toEqual(['.gitignore', 'a.js', 'src/deep/c.tsx'])
  expect(await found('.', '!src')).toEqual(['.gitignore', 'a.js', 'a.ts'])
  expect(await found('.', '!src/')).toEqual(['.gitignore', 'a.js', 'a.ts'])
  expect(await found('.', '*/deep/')).toEqual(['src/deep/c.tsx'])
  expect(await found('.', '!(*.ts|.*)')).toEqual(['a.js', 'src/deep/c.tsx'])
})

it('yields a file itself, and reports a missing one', async () => {
  await folder.put('a.ts')
  expect(await found('a.ts')).toEqual(['a.ts'])
  await expect(found('missing')).rejects.toMatchObject({ code: 'not_found' })
})

it('reports an unreadable folder', async ({ skip }) => {
  if (process.getuid?.() === 0) skip('root may read everything')
  await folder.put('closed/a.ts')
  await chmod(folder.at('closed'), 0o300)
  try {
    await expect(found('closed')).rejects.toMatchObject({ code: 'permission' })
  } finally {
    await chmod(folder.at('closed'), 0o700)
  }
})

it('ends at once when the signal fires', async () => {
  for (let i = 0; i < 30; i++) await folder.put(`folder-${i}/file`)
  const abort = new AbortController()
  const paths = walk(folder.root, { signal: abort.signal })
  await paths.next()
  abort.abort()
  const rest = async () => {
    for await (const _ of paths);
  }
  await expect(rest()).rejects.toMatchObject({ code: 'aborted' })
})

it('sorts the file changed last first, and leaves out missing ones', async () => {
  const paths = await Promise.all(['old', 'new', 'middle'].map((name) => folder.put(name)))
  for (const [i, time] of [1, 3, 2].entries()) await utimes(paths[i] ?? '', time, time)
  const sorted = await newestFirst([...paths, folder.at('gone')], signal)
  expect(sorted.map((path) => relative(folder.root, path))).toEqual(['new', 'middle', 'old'])
})

it('never leaves the folder, whatever the alternatives of a pattern', async () => {
  await folder.put('in/a.txt')
  await folder.put('b.txt')
  const patterns = [
    '{../*,*}.txt',
    '{../b,a}.txt',
    './{..,x}/../in/*',
    '{..,.}/*.txt',
    `{${folder.root}/b,a}.txt`,
  ]
  for (const pattern of [...patterns, '\\.\\./*.txt', '..', '@(..)/*.txt', '{,/etc/}{a.txt,hosts}']) {
    const paths = await found('in', pattern)
    expect([pattern, paths.filter((path) => path !== 'in/a.txt')]).toEqual([pattern, []])
  }
  expect(await found('in', '{../b,a}.txt')).toEqual(['in/a.txt'])
})

it('reads an unknown character class as empty', async () => {
  await folder.put('a.ts')
  await folder.put('.gitignore', '[[:constructor:]].ts\n')
  expect(await found()).toEqual(['.gitignore', 'a.ts'])
})

it('matches any number of stars at once', async () => {
  await folder.put('a'.repeat(250))
  expect(await found('.', `${'*a'.repeat(20)}b`)).toEqual([])
  expect(await found('.', `${'*a'.repeat(20)}`)).toEqual(['a'.repeat(250)])
})

it('takes plain parentheses for text, and never the folder itself for a file in it', async () => {
  await folder.put('app/(shop)/page.tsx')
  await folder.put('a')
  expect(await found('.', 'app/(shop)/*.tsx')).toEqual(['app/(shop)/page.tsx'])
  for (const pattern of ['.', './', 'a*/**']) expect(await found('.', pattern)).not.toContain('')
})

it('finds names with line breaks, whatever the pattern', async () => {
  const names = ['n\nl/a\nb.ts', 'n\nl/c.md', 'x\ny.ts']
  for (const name of names) await folder.put(name)
  expect(await found()).toEqual(names)
  expect(await found('.', '**')).toEqual(names)
  expect(await found('.', 'n*/**')).toEqual(['n\nl/a\nb.ts', 'n\nl/c.md'])
  expect(await found('.', '!*.md')).toEqual(['n\nl/a\nb.ts', 'x\ny.ts'])
  expect(await found('.', '**/*.ts')).toEqual(['n\nl/a\nb.ts', 'x\ny.ts'])
})
