import { mkdir, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { createToolbox, path, type Toolbox } from '../toolbox.ts'

let toolbox: Toolbox
beforeEach(async () => {
  toolbox = await createToolbox()
})
afterEach(() => toolbox.close())

async function glob(args: Record<string, string>) {
  const { isError, text } = await toolbox.call('glob', args)
  return isError ? { error: text } : text.split('\n')
}

/** Files, each a second older than the one before it. */
async function put(...names: readonly string[]): Promise<void> {
  for (const [i, name] of names.entries()) await utimes(await toolbox.put(name, ''), 1, 1_000 - i)
}

it('finds files by name, newest first', async () => {
  await toolbox.put('.gitignore', 'ignored.ts\n')
  await put('src/new.ts', 'ignored.ts', 'src/middle.ts', 'old.ts')
  expect(await glob({ pattern: '*.ts' })).toEqual(['src/new.ts', 'src/middle.ts', 'old.ts'])
  expect(await glob({ pattern: '**/*.ts', path: 'src' })).toEqual(['src/new.ts', 'src/middle.ts'])
  expect(await glob({ pattern: 'src/{new,old}.ts' })).toEqual(['src/new.ts'])
  expect(await glob({ pattern: 'src/{new,old}.ts', path: '.' })).toEqual(['src/new.ts'])
  expect(await glob({ pattern: '[!s]*.ts' })).toEqual(['src/new.ts', 'src/middle.ts', 'old.ts'])
  expect(await glob({ pattern: '!*.ts' })).toEqual(['.gitignore'])
  expect(await glob({ pattern: `${toolbox.cwd}/s*/new.ts` })).toEqual(['src/new.ts'])
  expect(await glob({ pattern: `${toolbox.cwd}/src/n*`, path: 'src' })).toEqual(['src/new.ts'])
  expect(await glob({ pattern: './src/n*' })).toEqual(['src/new.ts'])
  expect(await glob({ pattern: './*.ts' })).toEqual(['old.ts'])
  expect(await glob({ pattern: 'src/new.ts' })).toEqual(['src/new.ts'])
  expect(await glob({ pattern: '*.py' })).toEqual(['no files found'])
})

it('finds the files of a folder, including hidden ones, but nothing in .git or behind a symlink, which it names', async () => {
  await put('src/.hidden/a', 'src/b', '.git/config', 'other/c')
  await symlink('../other', join(toolbox.cwd, 'src/link'))
  const note = '[not searched, because links are not followed: src/link; give the path of one to search it]'
  expect(await glob({ pattern: 'src/' })).toEqual(['src/.hidden/a', 'src/b', note])
  expect(await glob({ pattern: 'src/**' })).toEqual(['src/.hidden/a', 'src/b', note])
  expect(await glob({ pattern: '*/' })).toEqual(['src/.hidden/a', 'src/b', 'other/c', note])
  expect(await glob({ pattern: 'src/link/*' })).toEqual(['src/link/c'])
})

it.each([
  ['app/[id]/page.tsx', ['app/[id]/page.tsx']],
  ['app/[id]/*.tsx', ['app/[id]/page.tsx']],
  ['app/[id]/', ['app/[id]/page.tsx', 'app/[id]/[tab]/a.ts', 'app/[id]/t/a.ts']],
  ['**/[id]/*.tsx', ['app/[id]/page.tsx']],
  ['a*/[id]/**/*.tsx', ['app/[id]/page.tsx']],
  ['app/[id]/[tab]/*.ts', ['app/[id]/[tab]/a.ts']],
  ['app/*/[tab]/*.ts', ['app/[id]/[tab]/a.ts', 'app/i/t/a.ts']],
  ['app/[...slug]/*', ['app/[...slug]/page.tsx']],
  ['app/[[...opt]]/page.tsx', ['app/[[...opt]]/page.tsx']],
  ['[slug].ts', ['[slug].ts']],
  ['app/\\[id\\]/*', ['app/[id]/page.tsx']],
  ['app/{[id],o}/*.tsx', ['app/[id]/page.tsx', 'app/o/page.tsx']],
  ['app/i/*.tsx', ['app/i/page.tsx']],
  ['app/[io]/*.tsx', ['app/i/page.tsx', 'app/o/page.tsx']],
  ['app/[id]/none.ts', ['no files found']],
])('reads brackets as a name where there is such a name: %s', async (pattern, found) => {
  await put('app/[id]/page.tsx', 'app/[id]/[tab]/a.ts', 'app/[id]/t/a.ts', 'app/i/page.tsx', 'app/i/t/a.ts')
  await put('app/[...slug]/page.tsx', 'app/s/page.tsx', 'app/[[...opt]]/page.tsx', 'app/o]/page.tsx')
  await put('app/o/page.tsx', '[slug].ts', 's.ts', 'app/i/none.ts')
  const paths = await glob({ pattern })
  expect(Array.isArray(paths) ? paths.filter((one) => !one.startsWith('[the ')).sort() : paths).toEqual(
    [...found].sort(),
  )
})

it('names only links to files that match and to folders, at most five, and none that is ignored or leads nowhere', async () => {
  await put('.gitignore', 'a.ts', 'real/b.ts')
  await toolbox.put('.gitignore', 'ignored\n')
  for (const name of ['1', '2', '3', '4', '5', '6', 'ignored']) await symlink('real', join(toolbox.cwd, name))
  await symlink('a.ts', join(toolbox.cwd, 'link.ts'))
  await symlink('a.ts', join(toolbox.cwd, 'link.js'))
  await symlink('gone', join(toolbox.cwd, 'gone.ts'))
  expect(await glob({ pattern: '*.ts' })).toEqual([
    'a.ts',
    'real/b.ts',
    '[not searched, because links are not followed: 1, 2, 3, 4, 5, 2 more; give the path of one to search it]',
  ])
  expect(await glob({ pattern: './*.ts' })).toEqual([
    'a.ts',
    '[not searched, because links are not followed: link.ts; give the path of one to search it]',
  ])
  expect(await glob({ pattern: '*.py', path: 'real' })).toEqual(['no files found'])
})

it('shows a name with a line break in one row', async () => {
  await put('nl\nname', 'tab\tbed "x"', 'say "x"')
  expect(await glob({ pattern: '*' })).toEqual(['"nl\\nname"', '"tab\\tbed \\"x\\""', 'say "x"'])
})

it('finds a name with a line break by two stars', async () => {
  await put('nl\nx.txt', 'dd/nl\ny')
  const found = ['"nl\\nx.txt"', '"dd/nl\\ny"']
  expect(await glob({ pattern: '**' })).toEqual(found)
  expect(await glob({ pattern: '**/*' })).toEqual(found)
  expect(await glob({ pattern: 'dd/**' })).toEqual(['"dd/nl\\ny"'])
})

it('explains how to write a pattern that is too large', async () => {
  expect(await glob({ pattern: 'f{1..1001}.txt' })).toEqual({
    error:
      'the glob f{1..1001}.txt cannot be used: its braces stand for more than 1000 names; use * for the parts that differ, or search several times',
  })
})

it('explains how to list a folder named without a slash', async () => {
  await put('src/a.ts')
  expect(await glob({ pattern: 'src' })).toEqual(['no files found; src is a folder: its files are src/**'])
  expect(await glob({ pattern: 'lib' })).toEqual(['no files found'])
})

it('explains how to write a file ending', async () => {
  await put('a.ts')
  for (const pattern of ['.ts', 'ts']) {
    expect(await glob({ pattern })).toEqual([
      `no files found; ${pattern} is the name of a file: use *.ts for files that end in .ts`,
    ])
  }
  expect(await glob({ pattern: '.env' })).toEqual(['no files found'])
})

it('takes globs separated by a comma or a space as alternatives', async () => {
  await put('a.ts', 'src/b.tsx', 'src/c.js', 'lib/d.js', 'my notes/e.md', 'f,g.md')
  for (const pattern of ['*.ts,*.tsx', '*.ts, *.tsx', '*.ts *.tsx']) {
    expect(await glob({ pattern })).toEqual(['a.ts', 'src/b.tsx'])
  }
  expect(await glob({ pattern: '*.ts,src/*.js' })).toEqual(['a.ts', 'src/c.js'])
  expect(await glob({ pattern: './*.{ts,md},lib/[c,d]*' })).toEqual(['a.ts', 'lib/d.js', 'f,g.md'])
  expect(await glob({ pattern: './*.ts ./*.js' })).toEqual(['a.ts'])
  expect(await glob({ pattern: '*.js,*.tsx', path: 'src' })).toEqual(['src/b.tsx', 'src/c.js'])
  expect(await glob({ pattern: 'my notes/*.md' })).toEqual(['my notes/e.md'])
  expect(await glob({ pattern: 'f,g.*' })).toEqual(['f,g.md'])
})

it('searches an ignored folder that is named', async () => {
  await toolbox.put('.gitignore', 'build/\n')
  await put('build/out/a.js')
  expect(await glob({ pattern: '*.js' })).toEqual(['no files found'])
  expect(await glob({ pattern: 'build/**/*.js' })).toEqual(['build/out/a.js'])
})

it('searches above the working folder, and below the home folder', async () => {
  const above = await toolbox.put('../above.txt', '')
  const home = await toolbox.put('../home/mine.txt', '')
  expect(await glob({ pattern: '../*.txt' })).toEqual([above])
  expect(await glob({ pattern: '~/m*' })).toEqual([home])
})

it('shows at most 100, with advice on the rest', async () => {
  await mkdir(join(toolbox.cwd, 'many'))
  const names = Array.from({ length: 101 }, (_, i) => `many/${i}`)
  await put(...names)
  expect(await glob({ pattern: 'many/*' })).toEqual([
    ...names.slice(0, 100),
    '[the 100 newest of 101; narrow the pattern, or give a path]',
  ])
})

it('PATH-200: names no denied file', async () => {
  await toolbox.close()
  toolbox = await createToolbox({ PATH: path }, { mayRead: (file) => !/\/(\.env|keys)$/.test(file) })
  await put('.env', 'a')
  await mkdir(join(toolbox.cwd, 'keys'))
  expect(await glob({ pattern: 'keys' })).toEqual(['no files found'])
  expect(await glob({ pattern: '*' })).toEqual(['a'])
  expect(await glob({ pattern: '.env' })).toEqual(['no files found'])
})

it('stops after 30 s', async () => {
  await toolbox.close()
  const slept: number[] = []
  toolbox = await createToolbox({ PATH: path }, { clock: stillClock(slept) })
  await put('a')
  const late = '[ended after 30 s, there may be more; narrow the pattern, or give a path]'
  expect(await glob({ pattern: '*' })).toEqual([late])
  expect(slept).toEqual([30_000])
})

it('reports a missing folder', async () => {
  const error = `cannot search ${toolbox.cwd}/missing: no such file or folder`
  expect(await glob({ pattern: '*', path: 'missing' })).toEqual({ error })
  expect(await glob({ pattern: 'missing/*.ts' })).toEqual({ error })
})
