import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, createBench, path } from './bench.ts'

const ripgrep = process.env['PATH']
  ?.split(delimiter)
  .map((folder) => join(folder, 'rg'))
  .find((file) => {
    try {
      return execFileSync(file, ['--version']).length > 0
    } catch {
      return false
    }
  })

let bench: Bench
afterEach(() => bench.close())

async function said(name: 'grep' | 'glob', args: Record<string, string | number | boolean>) {
  const { isError, text } = await bench.call(name, args)
  return isError ? { error: text } : text.split('\n')
}

const searchers = [{ name: 'JavaScript', rg: '/no/such/folder/rg' }]
if (ripgrep !== undefined) searchers.push({ name: 'ripgrep', rg: ripgrep })

describe.each(searchers)('grep with $name', ({ rg }) => {
  const grep = (args: Record<string, string | number | boolean>) => said('grep', args)

  beforeEach(async () => {
    bench = await createBench({ PATH: dirname(rg) })
  })

  it('finds lines in the order of paths and lines, hidden files too, as .gitignore allows', async () => {
    await bench.put('.gitignore', '*.log\nbuild/\n')
    await bench.put('b.ts', 'x\nfind me\r\n')
    await bench.put('a/z.ts', 'find you\nfind us\n')
    await bench.put('a.ts', 'find it')
    await bench.put('.hidden/c.ts', 'find him\n')
    await bench.put('.git/config', 'find git\n')
    await bench.put('a.log', 'find log\n')
    await bench.put('build/out.ts', 'find out\n')
    await bench.put('src/.gitignore', 'local.ts\n')
    await bench.put('src/local.ts', 'find local\n')
    await symlink('a.ts', join(bench.cwd, 'link.ts'))
    expect(await grep({ pattern: 'find \\w+$' })).toEqual([
      '.hidden/c.ts:1:find him',
      'a/z.ts:1:find you',
      'a/z.ts:2:find us',
      'a.ts:1:find it',
      'b.ts:2:find me',
    ])
    expect(await grep({ pattern: 'find', path: 'a' })).toEqual(['a/z.ts:1:find you', 'a/z.ts:2:find us'])
    expect(await grep({ pattern: 'find', path: 'a.log' })).toEqual(['a.log:1:find log'])
    expect(await grep({ pattern: 'find', path: 'build' })).toEqual(['build/out.ts:1:find out'])
    expect(await grep({ pattern: 'nowhere' })).toEqual(['no matches'])
  })

  it('may be told which files, without overruling .gitignore', async () => {
    await bench.put('.gitignore', 'gone.ts\n')
    for (const file of ['a.ts', 'a.js', 'src/b.ts', 'src/c.tsx', 'gone.ts']) await bench.put(file, 'hit\n')
    expect(await grep({ pattern: 'hit', glob: '*.ts' })).toEqual(['a.ts:1:hit', 'src/b.ts:1:hit'])
    expect(await grep({ pattern: 'hit', glob: '*.{ts,tsx}' })).toEqual([
      'a.ts:1:hit',
      'src/b.ts:1:hit',
      'src/c.tsx:1:hit',
    ])
    expect(await grep({ pattern: 'hit', glob: 'src/**' })).toEqual(['src/b.ts:1:hit', 'src/c.tsx:1:hit'])
    expect(await grep({ pattern: 'hit', glob: '!*.ts' })).toEqual(['a.js:1:hit', 'src/c.tsx:1:hit'])
  })

  it('may ignore case', async () => {
    await bench.put('a', 'One\n')
    expect(await grep({ pattern: 'ONE' })).toEqual(['no matches'])
    expect(await grep({ pattern: 'ONE', ignore_case: true })).toEqual(['a:1:One'])
    expect(await grep({ pattern: '(?i)ONE' })).toEqual(['a:1:One'])
  })

  it('shows the lines around where asked to', async () => {
    await bench.put('a', '1\n2\nx\n4\n5\n6\nx\nx\n9\n')
    await bench.put('b', 'x\n')
    expect(await grep({ pattern: 'x', context: 1 })).toEqual([
      ...['a-2-2', 'a:3:x', 'a-4-4', '--', 'a-6-6', 'a:7:x', 'a:8:x', 'a-9-9', '--', 'b:1:x'],
    ])
  })

  it('leaves out binary files', async () => {
    await bench.put('a', 'hit\n')
    await bench.put('b', Buffer.from('hit\n\0hit\n'))
    expect(await grep({ pattern: 'hit' })).toEqual(['a:1:hit'])
  })

  it('cuts long lines at 500 characters', async () => {
    await bench.put('a', `hit${'é'.repeat(500)}\n`)
    expect(await grep({ pattern: 'hit' })).toEqual([`a:1:hit${'é'.repeat(497)}…`])
  })

  it('shows 100 matches at most, and says what to do about the rest', async () => {
    await bench.put('a', 'hit\n'.repeat(100))
    const hundred = Array.from({ length: 100 }, (_, i) => `a:${i + 1}:hit`)
    expect(await grep({ pattern: 'hit' })).toEqual(hundred)
    await bench.put('b', 'hit\n')
    expect(await grep({ pattern: 'hit' })).toEqual([
      ...hundred,
      '[there is more; narrow the search with path, glob or a longer pattern]',
    ])
  })

  it('says what is wrong with a pattern or a path', async () => {
    expect(await grep({ pattern: 'a(' })).toEqual({
      error: expect.stringMatching(/regular expression|regex/),
    })
    expect(await grep({ pattern: 'a', path: 'missing' })).toEqual({
      error: `cannot read ${bench.cwd}/missing: no such file or folder`,
    })
  })
})

describe('grep with what an rg on the path prints', () => {
  it('reads paths and lines, and passes over remarks', async () => {
    const bin = await mkdtemp(join(tmpdir(), 'pipe-rg-'))
    try {
      const printed = './a:b\\0001:1:one\\n./a:b\\0002-two\\n--\\nremark\\n./c\\0009:nine\\n'
      await writeFile(join(bin, 'rg'), `#!/bin/sh\nprintf '${printed}'\n`, { mode: 0o755 })
      bench = await createBench({ PATH: `${bin}:${path}` })
      expect(await said('grep', { pattern: 'x' })).toEqual(['a:b:1:1:one', 'a:b-2-two', '--', 'c:9:nine'])
    } finally {
      await rm(bin, { recursive: true })
    }
  })
})

describe('glob', () => {
  beforeEach(async () => {
    bench = await createBench()
  })
  const glob = (args: Record<string, string>) => said('glob', args)

  it('finds files by name, the newest first', async () => {
    await bench.put('.gitignore', 'ignored.ts\n')
    for (const [i, name] of ['old.ts', 'src/new.ts', 'src/middle.ts', 'ignored.ts'].entries()) {
      await utimes(await bench.put(name, ''), 1, [1, 9, 5, 7][i] ?? 0)
    }
    expect(await glob({ pattern: '*.ts' })).toEqual(['src/new.ts', 'src/middle.ts', 'old.ts'])
    expect(await glob({ pattern: '**/*.ts', path: 'src' })).toEqual(['src/new.ts', 'src/middle.ts'])
    expect(await glob({ pattern: 'src/{new,old}.ts' })).toEqual(['src/new.ts'])
    expect(await glob({ pattern: `${bench.cwd}/s*/new.ts` })).toEqual(['src/new.ts'])
    expect(await glob({ pattern: './src/n*' })).toEqual(['src/new.ts'])
    expect(await glob({ pattern: '*.py' })).toEqual(['no files found'])
  })

  it('finds what is above the working folder, and below the home folder', async () => {
    const above = await bench.put('../above.txt', '')
    const home = await bench.put('../home/mine.txt', '')
    expect(await glob({ pattern: '../*.txt' })).toEqual([above])
    expect(await glob({ pattern: '~/m*' })).toEqual([home])
  })

  it('shows 100 at most, and says what to do about the rest', async () => {
    await mkdir(join(bench.cwd, 'many'))
    for (let i = 0; i < 101; i++) await utimes(await bench.put(`many/${i}`, ''), 1, i)
    const newest = Array.from({ length: 100 }, (_, i) => `many/${100 - i}`)
    expect(await glob({ pattern: 'many/*' })).toEqual([
      ...newest,
      '[the 100 newest of 101; narrow the pattern]',
    ])
  })

  it('says that a folder is missing', async () => {
    expect(await glob({ pattern: '*', path: 'missing' })).toEqual({
      error: `cannot search ${bench.cwd}/missing: no such file or folder`,
    })
  })
})
