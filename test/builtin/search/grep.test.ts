import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDiskStore } from '../../../src/files/writing/disk-store.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import type { ArtifactStore } from '../../../src/machine/artifact.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { untilGone } from '../../support/programs/processes.ts'
import { quickDescribe, sized } from '../../support/thorough.ts'
import { createToolbox, path, type Toolbox } from '../toolbox.ts'
import { searchers } from './searchers.ts'

let toolbox: Toolbox
afterEach(() => toolbox.close())

async function grep(args: JsonObject) {
  const { isError, text } = await toolbox.call('grep', args)
  return isError ? { error: text } : text.split('\n')
}

/** JavaScript, and one ripgrep: another differs only in its version, and is for the slow suite. */
const quick = searchers.filter(({ missing }) => !missing).slice(0, 2)
const others = searchers.filter((searcher) => !quick.includes(searcher))

const narrow = 'narrow it with path, glob or type'

for (const { name, ripgreps, missing } of sized(others, quick)) {
  describe.skipIf(missing)(`grep with ${name}`, () => {
    beforeEach(async () => {
      toolbox = await createToolbox({ PATH: path }, { ripgreps })
    })

    it.each([
      ['app/[id]/*.tsx', ['app/[id]/page.tsx:1:find me']],
      ['app/[...slug]/**', ['app/[...slug]/page.tsx:1:find you']],
      ['**/[[...opt]]/*', ['app/[[...opt]]/page.tsx:1:find us']],
      ['app/[i]/*.tsx', ['app/i/page.tsx:1:find none']],
    ])('reads brackets of a glob as a name where there is such a name: %s', async (pattern, found) => {
      await toolbox.put('app/[id]/page.tsx', 'find me\n')
      await toolbox.put('app/[...slug]/page.tsx', 'find you\n')
      await toolbox.put('app/[[...opt]]/page.tsx', 'find us\n')
      for (const name of ['i', 's', 'o]']) await toolbox.put(`app/${name}/page.tsx`, 'find none\n')
      expect(await grep({ pattern: 'find', glob: pattern })).toEqual(found)
      const folder = pattern.slice(0, pattern.lastIndexOf('/'))
      if (!/[*]|\[i\]/.test(folder)) expect(await grep({ pattern: 'find', path: folder })).toEqual(found)
    })

    it('finds lines in the order of paths and lines, including hidden files, as ignore files allow', async () => {
      await toolbox.put('.gitignore', '*.log\nbuild/\nB.ts\n')
      await toolbox.put('.ignore', '*.tmp\n!keep.log\n')
      await toolbox.put('b.ts', 'x\nfind me\r\n')
      await toolbox.put('a/z.ts', 'find you\nfind us\n')
      await toolbox.put('a.ts', 'find it')
      await toolbox.put('.hidden/c.ts', 'find him\n')
      await toolbox.put('.git/config', 'find git\n')
      for (const gone of ['a.log', 'a.tmp', 'build/out.ts']) await toolbox.put(gone, 'find none\n')
      await toolbox.put('keep.log', 'find log\n')
      await toolbox.put('src/.gitignore', 'local.ts\n')
      await toolbox.put('src/local.ts', 'find local\n')
      await symlink('a.ts', join(toolbox.cwd, 'link.ts'))
      await symlink('a', join(toolbox.cwd, 'linked'))
      expect(await grep({ pattern: 'find \\w+$' })).toEqual([
        '.hidden/c.ts:1:find him',
        'a/z.ts:1:find you',
        'a/z.ts:2:find us',
        'a.ts:1:find it',
        'b.ts:2:find me',
        'keep.log:1:find log',
        '[not searched, because links are not followed: link.ts, linked; give the path of one to search it]',
      ])
      expect(await grep({ pattern: 'find', path: 'a' })).toEqual(['a/z.ts:1:find you', 'a/z.ts:2:find us'])
      expect(await grep({ pattern: 'find you', path: 'linked' })).toEqual(['linked/z.ts:1:find you'])
      expect(await grep({ pattern: 'find', glob: './*.js' })).toEqual(['no matches'])
      expect(await grep({ pattern: 'nowhere', glob: '*.ts' })).toEqual([
        'no matches; not searched, because links are not followed: link.ts, linked; give the path of one to search it',
      ])
      expect(await grep({ pattern: 'nowhere', path: 'a' })).toEqual(['no matches'])
    })

    it('searches ignored files if asked for by name', async () => {
      await toolbox.put('.gitignore', '*.log\nbuild/\ndist\n')
      await toolbox.put('a.log', 'hit\n')
      await toolbox.put('build/dist/out.ts', 'hit\n')
      await toolbox.put('build/.gitignore', '*.js\n')
      await toolbox.put('build/out.js', 'hit\n')
      expect(await grep({ pattern: 'hit' })).toEqual(['no matches'])
      expect(await grep({ pattern: 'hit', path: 'a.log' })).toEqual(['a.log:1:hit'])
      expect(await grep({ pattern: 'hit', path: 'build' })).toEqual(['build/dist/out.ts:1:hit'])
      expect(await grep({ pattern: 'hit', glob: 'build/**/*.ts' })).toEqual(['build/dist/out.ts:1:hit'])
      expect(await grep({ pattern: 'hit', glob: 'a.log', path: '.' })).toEqual(['no matches'])
    })

    it('searches files that .ignore re-includes', async () => {
      await toolbox.put('.gitignore', 'dist/\nbuild/\n*.map\n')
      await toolbox.put('.ignore', '!dist/\n')
      for (const file of ['dist/a.js', 'dist/a.map', 'build/b.js']) await toolbox.put(file, 'hit\n')
      expect(await grep({ pattern: 'hit' })).toEqual(['dist/a.js:1:hit'])
      expect(await grep({ pattern: 'hit', path: 'dist' })).toEqual(['dist/a.js:1:hit'])
    })

    it('can be limited to a glob, without overriding ignore files', async () => {
      await toolbox.put('.gitignore', 'gone.ts\n')
      for (const file of ['a.ts', 'a.js', 'src/b.ts', 'src/c.tsx', 'gone.ts'])
        await toolbox.put(file, 'hit\n')
      const files = (args: JsonObject) => grep({ pattern: 'hit', output: 'files', ...args })
      expect(await files({ glob: '*.ts' })).toEqual(['a.ts', 'src/b.ts'])
      expect(await files({ glob: '**/*.ts' })).toEqual(['a.ts', 'src/b.ts'])
      expect(await files({ glob: './*.ts' })).toEqual(['a.ts'])
      expect(await files({ glob: '*.{ts,tsx}' })).toEqual(['a.ts', 'src/b.ts', 'src/c.tsx'])
      expect(await files({ glob: 'src/**' })).toEqual(['src/b.ts', 'src/c.tsx'])
      expect(await files({ glob: '*/*.ts' })).toEqual(['src/b.ts'])
      expect(await files({ glob: '{src,lib}/**/*.tsx' })).toEqual(['src/c.tsx'])
      expect(await files({ glob: 'src/b.ts' })).toEqual(['src/b.ts'])
      expect(await files({ glob: '!*.ts' })).toEqual(['a.js', 'src/c.tsx'])
      expect(await files({ glob: '!src/**' })).toEqual(['a.js', 'a.ts'])
      expect(await files({ glob: `${toolbox.cwd}/src/*.ts` })).toEqual(['src/b.ts'])
      for (const glob of ['*.js,*.tsx', '*.js, *.tsx', '*.js *.tsx', 'src/*.tsx,*.js']) {
        expect(await files({ glob })).toEqual(['a.js', 'src/c.tsx'])
      }
    })

    it('can be limited to a language, alone and with a glob', async () => {
      for (const file of ['a.ts', 'b.tsx', 'c.js', 'src/d.mts', 'Makefile', 'e.py'])
        await toolbox.put(file, 'hit\n')
      const files = (args: JsonObject) => grep({ pattern: 'hit', output: 'files', ...args })
      expect(await files({ type: 'ts' })).toEqual(['a.ts', 'b.tsx', 'src/d.mts'])
      expect(await files({ type: 'typescript', glob: 'src/*' })).toEqual(['src/d.mts'])
      expect(await files({ type: 'ts', glob: '*.tsx' })).toEqual(['b.tsx'])
      expect(await files({ type: 'TS' })).toEqual(['a.ts', 'b.tsx', 'src/d.mts'])
      expect(await files({ type: 'make' })).toEqual(['Makefile'])
      for (const type of ['.py', '*.py']) expect(await files({ type })).toEqual(['e.py'])
      for (const type of ['py,js', '.js, .py', '*.py *.js']) {
        expect(await files({ type })).toEqual(['c.js', 'e.py'])
      }
      expect(await files({ type: '*', glob: '[ce]*' })).toEqual(['c.js', 'e.py'])
      expect(await files({ type: 'py,*.Nonsense' })).toEqual({
        error: 'the type nonsense is not known; use glob: *.nonsense',
      })
      expect(await files({ type: 'nonsense' })).toEqual({
        error: 'the type nonsense is not known; use glob: *.nonsense',
      })
    })

    it('can ignore case', async () => {
      await toolbox.put('a', 'One\n')
      expect(await grep({ pattern: 'ONE' })).toEqual(['no matches'])
      expect(await grep({ pattern: 'ONE', ignore_case: true })).toEqual(['a:1:One'])
      expect(await grep({ pattern: '(?i)ONE' })).toEqual(['a:1:One'])
    })

    it('searches a file whose name has line breaks, and shows it in one row', async () => {
      await toolbox.put('nl\nname\n.txt', 'hit\n')
      await toolbox.put('z', 'hit\n')
      const shown = '"nl\\nname\\n.txt"'
      expect(await grep({ pattern: 'hit' })).toEqual([`${shown}:1:hit`, 'z:1:hit'])
      expect(await grep({ pattern: 'hit', output: 'count' })).toEqual([`${shown}:1`, 'z:1'])
      expect(await grep({ pattern: 'hit', path: 'nl\nname\n.txt' })).toEqual([`${shown}:1:hit`])
      for (const glob of ['*.txt', '**/*.txt', '!z', '{nl,a}*']) {
        expect(await grep({ pattern: 'hit', glob })).toEqual([`${shown}:1:hit`])
      }
    })

    it('explains how to write a glob or pattern that is too large', async () => {
      expect(await grep({ pattern: 'hit', glob: 'f{1..1001}.txt' })).toEqual({
        error: expect.stringMatching(/^the glob f\{1\.\.1001\}\.txt cannot be used: its braces /),
      })
      const error = 'the pattern is longer than 10000 characters: search for a part of it'
      expect(await grep({ pattern: 'x'.repeat(10_001) })).toEqual({ error })
    })

    it('explains how to write an invalid pattern', async () => {
      await toolbox.put('a', 'interface{}\n')
      for (const pattern of ['interface{}', '{', 'a{,2']) {
        expect(await grep({ pattern })).toEqual({
          error: expect.stringContaining('\nescape literal characters: \\{ \\( \\['),
        })
      }
      expect(await grep({ pattern: 'interface\\{\\}' })).toEqual(['a:1:interface{}'])
    })

    it('explains the syntax of a pattern or glob that finds nothing', async () => {
      await toolbox.put('src/a.ts', 'foo\nb|c\n')
      const bar = 'no matches; \\| is a literal bar here: write alternatives as foo|bar'
      expect(await grep({ pattern: 'foo\\|bar' })).toEqual([bar])
      expect(await grep({ pattern: 'b\\|c' })).toEqual(['src/a.ts:2:b|c'])
      expect(await grep({ pattern: 'x\\\\|y' })).toEqual(['no matches'])
      const folder = 'src is a folder: its files are src/**'
      expect(await grep({ pattern: 'foo', glob: 'src' })).toEqual([`no matches; ${folder}`])
      expect(await grep({ pattern: 'foo\\|bar', glob: 'src' })).toEqual([`${bar}; ${folder}`])
      for (const glob of ['ts', '.ts']) {
        expect(await grep({ pattern: 'foo', glob })).toEqual([
          `no matches; ${glob} is the name of a file: use *.ts for files that end in .ts`,
        ])
      }
    })

    it('supports look-around and back-references', async () => {
      await toolbox.put('a', 'foobar\nfoobaz\nnono\n')
      expect(await grep({ pattern: 'foo(?!bar)' })).toEqual(['a:2:foobaz'])
      expect(await grep({ pattern: '(no)\\1' })).toEqual(['a:3:nono'])
    })

    it('shows context lines if asked to', async () => {
      await toolbox.put('a', '1\n2\nx\n4\n5\n6\nx\nx\n9\n')
      await toolbox.put('b', 'x\n')
      expect(await grep({ pattern: 'x', context: 1 })).toEqual([
        ...['a-2-2', 'a:3:x', 'a-4-4', '--', 'a-6-6', 'a:7:x', 'a:8:x', 'a-9-9', '--', 'b:1:x'],
      ])
    })

    it('can list or count files instead of showing lines', async () => {
      await toolbox.put('a', 'hit hit\nhit\n')
      await toolbox.put('b', 'miss\n')
      await toolbox.put('src/c', 'hit\r\n')
      expect(await grep({ pattern: 'hit', output: 'files' })).toEqual(['a', 'src/c'])
      expect(await grep({ pattern: 'hit', output: 'count' })).toEqual(['a:2', 'src/c:1'])
      expect(await grep({ pattern: 'hit', output: 'count', path: 'a' })).toEqual(['a:2'])
      expect(await grep({ pattern: 'nowhere', output: 'count' })).toEqual(['no matches'])
    })

    it('matches across lines if asked to, or if the pattern has a line break', async () => {
      await toolbox.put('a', 'one {\n  two\n}\none {}\n')
      expect(await grep({ pattern: 'one \\{[^}]+\\}' })).toEqual(['no matches'])
      const spanning = ['a:1:one {', 'a:2:  two', 'a:3:}']
      expect(await grep({ pattern: 'one \\{[^}]+\\}', multiline: true })).toEqual(spanning)
      expect(await grep({ pattern: '\\{\\n  two\\n', context: 1 })).toEqual([
        'a:1:one {',
        'a:2:  two',
        'a-3-}',
      ])
      expect(await grep({ pattern: 'one \\{[^}]*\\}', multiline: true, output: 'count' })).toEqual(['a:2'])
    })

    it('matches CRLF if a pattern has a line break', async () => {
      await toolbox.put('a', 'one\r\ntwo\r\n\r\n[n]\r\n')
      await toolbox.put('b', 'one\ntwo\n')
      const both = ['a:1:one', 'a:2:two', 'b:1:one', 'b:2:two']
      for (const pattern of ['one\\ntwo', 'one\ntwo', 'one\\r?\\ntwo', 'e[\\r\\n]+two', 'one$\\n^two$']) {
        expect(await grep({ pattern })).toEqual(both)
      }
      expect(await grep({ pattern: 'o\\n{2}\\[', output: 'count' })).toEqual(['a:1'])
      expect(await grep({ pattern: 'e[^x\\n]\\ntwo', output: 'count' })).toEqual(['a:1'])
      expect(await grep({ pattern: '(?<=\\n)two', output: 'count' })).toEqual(['a:1', 'b:1'])
    })

    it('skips binary files, wherever the NUL is, and whatever the output', async () => {
      const filler = 'filler\n'.repeat(30_000)
      await toolbox.put('a', 'hit\n')
      await toolbox.put('b', Buffer.from('hit\n\0hit\n'))
      await toolbox.put('c', `hit\n${filler}\0`)
      await toolbox.put('d', 'hit\n')
      expect(await grep({ pattern: 'hit' })).toEqual(['a:1:hit', 'd:1:hit'])
      expect(await grep({ pattern: 'hit', output: 'files' })).toEqual(['a', 'd'])
      expect(await grep({ pattern: 'hit', output: 'count' })).toEqual(['a:1', 'd:1'])
      for (const output of ['lines', 'files', 'count']) {
        expect(await grep({ pattern: 'hit', path: 'c', output })).toEqual(['no matches'])
      }
    })

    it('reads UTF-16 with a byte order mark, skips the mark of UTF-8, and shows what it can of Latin-1', async () => {
      await toolbox.put('be', Buffer.from('\ufeffhit é\n', 'utf16le').swap16())
      await toolbox.put('latin', Buffer.from('hit caf\xe9\n', 'latin1'))
      await toolbox.put('le', Buffer.from('\ufeffhit ü\r\n', 'utf16le'))
      await toolbox.put('marked', '\ufeffhit\n')
      const all = ['be:1:hit é', 'latin:1:hit caf\ufffd', 'le:1:hit ü', 'marked:1:hit']
      expect(await grep({ pattern: '^hit' })).toEqual(all)
      expect(await grep({ pattern: '^hit', path: 'le' })).toEqual(['le:1:hit ü'])
    })

    it('shows 500 characters of long lines, around the match', async () => {
      const far = '→'.repeat(300_000)
      await toolbox.put(
        'a',
        [
          `hit${'é'.repeat(500)}`,
          `${'e'.repeat(200)}hit${'e'.repeat(100_000)}hit`,
          `${'é'.repeat(201)}hit${'e'.repeat(297)}\r`,
          `${far}hit${far}`,
          `${far}hit`,
          `${'😀'.repeat(1_000)}.hit${'😀'.repeat(1_000)}`,
          `${'e'.repeat(497)}hit`,
          '',
        ].join('\n'),
      )
      expect(await grep({ pattern: 'hit' })).toEqual([
        `a:1:hit${'é'.repeat(497)}…`,
        `a:2:${'e'.repeat(200)}hit${'e'.repeat(297)}…`,
        `a:3:…${'é'.repeat(200)}hit${'e'.repeat(297)}`,
        `a:4:…${'→'.repeat(200)}hit${'→'.repeat(297)}…`,
        `a:5:…${'→'.repeat(200)}hit`,
        `a:6:…${'😀'.repeat(99)}.hit${'😀'.repeat(149)}…`,
        `a:7:${'e'.repeat(497)}hit`,
      ])
      const beginning = `${'→'.repeat(500)}…`
      expect(await grep({ pattern: '→hit$', context: 1 })).toContain(`a-4-${beginning}`)
      expect(await grep({ pattern: '→hit$', multiline: true })).toEqual([`a:5:${beginning}`])
    })

    it('shows at most 100 results, with advice on the rest', async () => {
      await toolbox.put('a', 'hit\n'.repeat(100))
      const hundred = Array.from({ length: 100 }, (_, i) => `a:${i + 1}:hit`)
      expect(await grep({ pattern: 'hit' })).toEqual(hundred)
      await toolbox.put('b', 'hit\n')
      expect(await grep({ pattern: 'hit' })).toEqual([...hundred, `[there is more; ${narrow}]`])
      const files = Array.from({ length: 101 }, (_, i) => `many/${i + 100}`)
      for (const file of files) await toolbox.put(file, 'hit\n')
      const shown = [...files.slice(0, 100), `[there is more; ${narrow}]`]
      expect(await grep({ pattern: 'hit', path: 'many', output: 'files' })).toEqual(shown)
    })

    it('PATH-200: shows neither lines nor names of denied files', async () => {
      const mayRead = (file: string) => !file.endsWith('/.env')
      await toolbox.close()
      toolbox = await createToolbox({ PATH: path }, { ripgreps, mayRead })
      await toolbox.put('.env', 'API_KEY=secret\n')
      await toolbox.put('a.ts', 'API_KEY\n')
      expect(await grep({ pattern: 'KEY', path: '.' })).toEqual(['a.ts:1:API_KEY'])
      expect(await grep({ pattern: 'KEY', output: 'count' })).toEqual(['a.ts:1'])
      for (const output of ['lines', 'files', 'count']) {
        expect(await grep({ pattern: 'KEY', path: '.env', output })).toEqual(['no matches'])
      }
    })

    it('explains what is wrong with a pattern, path or output', async () => {
      expect(await grep({ pattern: 'a(' })).toEqual({
        error: expect.stringMatching(/regular expression|regex/),
      })
      expect(await grep({ pattern: 'a', path: 'missing' })).toEqual({
        error: `cannot read ${toolbox.cwd}/missing: no such file or folder`,
      })
      expect(await grep({ pattern: 'a', glob: 'missing/*.ts' })).toEqual({
        error: `cannot read ${toolbox.cwd}/missing: no such file or folder`,
      })
      expect(await grep({ pattern: 'a', output: 'json' })).toEqual({
        error: expect.stringContaining('expected one of "lines"|"files"|"count"'),
      })
    })
  })
}

quickDescribe('grep', () => {
  /** Replaces ripgrep with a shell script. */
  async function withProgram(script: string): Promise<void> {
    const rg = join(bin, 'rg')
    await writeFile(rg, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    toolbox = await createToolbox({ PATH: path }, { ripgreps: [rg] })
  }

  let bin: string
  beforeEach(async () => {
    bin = await mkdtemp(join(tmpdir(), 'pipe-rg-'))
  })
  afterEach(() => rm(bin, { recursive: true }))

  it('ignores the configuration of ripgrep', async () => {
    const config = join(bin, 'config')
    await writeFile(config, '--invert-match\n--max-count=1\n')
    toolbox = await createToolbox({ PATH: path, RIPGREP_CONFIG_PATH: config })
    await toolbox.put('a', 'miss\nhit\nhit\n')
    expect(await grep({ pattern: 'hit' })).toEqual(['a:2:hit', 'a:3:hit'])
  })

  it('tries the next program if one is missing, and JavaScript last', async () => {
    toolbox = await createToolbox({ PATH: '/nowhere' }, { ripgreps: ['/no/such/rg', 'rg'] })
    await toolbox.put('a', 'hit\n')
    expect(await grep({ pattern: 'hit' })).toEqual(['a:1:hit'])
  })

  it('reads the output of a ripgrep, and skips remarks', async () => {
    await withProgram(
      "printf './a:b\\0001:1:1:one\\n./a:b\\0002-two\\n--\\nremark\\n./c\\0009:1:nine\\n./d\\0001:1:x\\n'",
    )
    await toolbox.put('a:b', '1:one\ntwo\n')
    await toolbox.put('c', `${'\n'.repeat(8)}nine\n`)
    await toolbox.put('d', 'x\n')
    expect(await grep({ pattern: 'x' })).toEqual([
      ...['a:b:1:1:one', 'a:b-2-two', '--', 'c:9:nine', '--', 'd:1:x'],
    ])
  })

  it('drops output of a ripgrep that is not in the file', async () => {
    await withProgram(
      "printf './a\\0001:1:one\\n./a\\0002:1:secret\\n./a\\0003:1:three\\n./gone\\0001:1:x\\n'",
    )
    await toolbox.put('a', 'one\ntwo\nthree\n')
    const left = '[left out files that changed during the search (2); search again]'
    expect(await grep({ pattern: 'x' })).toEqual(['a:1:one', left])
    expect(await grep({ pattern: 'x', output: 'files' })).toEqual([left])
  })

  it('reports a ripgrep that crashes', async () => {
    await withProgram('echo went wrong >&2; kill -SEGV $$')
    expect(await grep({ pattern: 'x' })).toEqual({ error: 'ripgrep ended with SIGSEGV: went wrong' })
  })

  it('ends a ripgrep once nothing more is needed', async () => {
    await withProgram("echo $$ > pid; while :; do i=$((i+1)); printf './a\\000%s:1:x\\n' $i || exit; done")
    await toolbox.put('a', 'x\n'.repeat(200))
    expect(await grep({ pattern: 'x' })).toHaveLength(101)
    const pid = Number(await toolbox.get('pid'))
    await untilGone(pid)
  })

  it('gives up on a runaway expression after 30 s, and shows what was found by then', async () => {
    const clock = createHandClock()
    const disk = createDiskStore()
    const ahead = deferred()
    const artifacts: ArtifactStore = {
      ...disk,
      readFile: (file, options) => {
        // The tenth file is read once the first one has been searched.
        if (file.endsWith('/9')) ahead.resolve()
        return disk.readFile(file, options)
      },
    }
    toolbox = await createToolbox({ PATH: path }, { ripgreps: [], clock, artifacts })
    await toolbox.put('0', 'aaa\n')
    for (let i = 1; i < 10; i++) await toolbox.put(String(i), `${'a'.repeat(64)}!\n`)
    const said = grep({ pattern: '^(a+)+$' })
    await ahead.promise
    clock.advance(30_000)
    expect(await said).toEqual(['0:1:aaa', `[ended after 30 s, there may be more; ${narrow}]`])
  })
})
