import { execFileSync } from 'node:child_process'
import { mkdir, truncate } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { drainRun, toolContext } from '../conformance/executor.ts'
import { type Bench, createBench } from './bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const read = async (args: Record<string, string | number>) => {
  const { isError, text } = await bench.call('read', args)
  return isError ? { error: text } : text
}

describe('text', () => {
  it('comes with line numbers, and no more than that', async () => {
    await bench.put('src/a.ts', 'one\n\ttwo\r\nthree')
    expect(await read({ path: 'src/a.ts' })).toBe('1\tone\n2\t\ttwo\n3\tthree')
    expect(await read({ path: join(bench.cwd, 'src/a.ts'), offset: 3 })).toBe('3\tthree')
  })

  it('is found below the home folder that was given', async () => {
    await bench.put('../home/notes', 'mine')
    expect(await read({ path: '~/notes' })).toBe('1\tmine')
    expect(await read({ path: '~' })).not.toContain(homedir())
  })

  it('of 2,000 lines is whole, of more it says how to go on', async () => {
    const lines = Array.from({ length: 2_001 }, (_, i) => `${i + 1}`)
    await bench.put('whole', `${lines.slice(0, 2_000).join('\n')}\n`)
    await bench.put('more', `${lines.join('\n')}\n`)
    const numbered = (text: string) => `${text}\t${text}`
    const all = lines.map(numbered)
    expect(await read({ path: 'whole' })).toBe(all.slice(0, 2_000).join('\n'))
    expect(await read({ path: 'more', limit: 5_000 })).toBe(
      `${all.slice(0, 2_000).join('\n')}\n[lines 1-2000; use offset=2001 to go on]`,
    )
    expect(await read({ path: 'more', offset: 2_001 })).toBe('2001\t2001')
  })

  it('is cut at 50 KB, at a line', async () => {
    await bench.put('wide', `${'x'.repeat(999)}\n`.repeat(60))
    const rows = Array.from({ length: 51 }, (_, i) => `${i + 1}\t${'x'.repeat(999)}`)
    expect(await read({ path: 'wide' })).toBe(
      `${rows.join('\n')}\n[lines 1-51 of 60; use offset=52 to go on]`,
    )
  })

  it('has long lines cut at 2,000 characters', async () => {
    await bench.put('long', `${'x'.repeat(2_000)}\n${'y'.repeat(2_001)}\n`)
    expect(await read({ path: 'long' })).toBe(`1\t${'x'.repeat(2_000)}\n2\t${'y'.repeat(2_000)} [line cut]`)
  })

  it('that is empty, or that ends before the offset, is said', async () => {
    await bench.put('empty', '')
    await bench.put('short', 'one\ntwo\n')
    expect(await read({ path: 'empty' })).toBe('(empty is empty)')
    expect(await read({ path: 'short', offset: 9 })).toEqual({
      error: 'offset 9 is beyond the end of short, which has 2 lines',
    })
  })

  it('of 3 GB is read in a range, in little memory', async () => {
    const path = await bench.put('big.log', `${'x'.repeat(30_000_000)}\nsecond\nthird\n`)
    await truncate(path, 3_000_000_000)
    const before = process.memoryUsage().rss
    expect(await read({ path: 'big.log', offset: 2, limit: 1 })).toBe(
      '2\tsecond\n[lines 2-2; use offset=3 to go on]',
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })
})

describe('what is not text', () => {
  it('an image is shown, unless it is above 4.5 MB', async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(10)])
    await bench.put('a.png', png)
    await bench.put('big.png', Buffer.concat([png, Buffer.alloc(5_000_000)]))
    const run = bench.executor.execute('read', { path: 'a.png' }, toolContext())
    expect((await drainRun(run)).result).toEqual({
      content: [
        { type: 'text', text: 'a.png: image/png, 18 bytes' },
        { type: 'image', mimeType: 'image/png', data: png.toString('base64') },
      ],
      isError: false,
    })
    expect(await read({ path: 'big.png' })).toEqual({
      error: 'big.png is an image above 4.5 MB: make it smaller through bash first',
    })
  })

  it.each([
    ['\x7fELF\x02\x01\x01\0', 'a program'],
    ['%PDF-1.7\n\0', 'PDF'],
    ['\xff\xfeh\0i\0', 'UTF-16 text'],
    ['a\0b', 'it holds NUL bytes'],
  ])('binary bytes %j are refused with a word on what they are', async (bytes, kind) => {
    await bench.put('blob', Buffer.from(bytes, 'latin1'))
    expect(await read({ path: 'blob' })).toEqual({
      error: `blob is binary (${kind}): look at it through bash`,
    })
  })

  it('a folder is listed', async () => {
    await bench.put('src/a.ts', '')
    await bench.put('src/lib/b.ts', '')
    await mkdir(join(bench.cwd, 'void'))
    expect(await read({ path: 'src' })).toBe('src is a folder:\na.ts\nlib/')
    expect(await read({ path: 'void' })).toBe('void is a folder, and empty')
  })

  it('a FIFO and a device are refused within a second', async () => {
    execFileSync('mkfifo', [join(bench.cwd, 'fifo')])
    const from = performance.now()
    for (const path of ['fifo', '/dev/zero']) {
      expect(await read({ path })).toEqual({ error: expect.stringContaining('no regular file') })
    }
    expect(performance.now() - from).toBeLessThan(1_000)
  })
})

describe('a path that does not exist', () => {
  it('is answered with the nearest names beside it', async () => {
    for (const name of ['executor.ts', 'execute.ts', 'README.md', 'other.ts'])
      await bench.put(`src/${name}`, '')
    expect(await read({ path: 'src/exector.ts' })).toEqual({
      error: 'src/exector.ts does not exist; did you mean src/executor.ts, src/execute.ts?',
    })
    expect(await read({ path: 'src/readme.md' })).toEqual({
      error: 'src/readme.md does not exist; did you mean src/README.md?',
    })
    expect(await read({ path: 'src/zzz' })).toEqual({ error: 'src/zzz does not exist; use glob to find it' })
    expect(await read({ path: 'lib/zzz' })).toEqual({
      error: 'lib/zzz does not exist, nor does its folder; use glob to find it',
    })
  })

  it('or cannot exist is an error result as well', async () => {
    expect(await read({ path: 'a\0b' })).toEqual({
      error: expect.stringContaining('the path holds a NUL byte'),
    })
  })
})
