import { chmod, readFile, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { revisionOf } from '../../src/builtin/text-file.ts'
import { type Bench, createBench } from './bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const hash = (text: string | Uint8Array) => revisionOf(Buffer.from(text))

async function putRead(path: string, content: string | Uint8Array): Promise<void> {
  await bench.put(path, content)
  await bench.call('read', { path })
}

const edit = (path: string, oldText: string, newText: string, replaceAll?: boolean) =>
  bench.call('edit', {
    path,
    old_text: oldText,
    new_text: newText,
    ...(replaceAll === undefined ? {} : { replace_all: replaceAll }),
  })

describe('write', () => {
  it('makes a file and its folders', async () => {
    expect(await bench.call('write', { path: 'a/b.txt', content: 'one\ntwo\n' })).toEqual({
      isError: false,
      text: 'created a/b.txt (2 lines, 8 bytes)',
      details: { path: 'a/b.txt', after: hash('one\ntwo\n') },
      outputs: [],
    })
    expect(await bench.get('a/b.txt')).toBe('one\ntwo\n')
  })

  it('overwrites a file that was read, and shows what changed', async () => {
    await putRead('a.txt', 'one\ntwo\n')
    expect(await bench.call('write', { path: 'a.txt', content: 'one\n2\n' })).toEqual({
      isError: false,
      text: 'overwrote a.txt (2 lines, 6 bytes)',
      details: {
        path: 'a.txt',
        before: hash('one\ntwo\n'),
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
        after: hash('one\n2\n'),
      },
      outputs: [],
    })
  })

  it('refuses to overwrite what was not read, or has changed since', async () => {
    await bench.put('a.txt', 'theirs')
    const unread = await bench.call('write', { path: 'a.txt', content: 'mine' })
    expect([unread.isError, unread.text]).toEqual([
      true,
      'a.txt was not written: it has not been read yet; read it first',
    ])
    await bench.call('read', { path: 'a.txt' })
    await bench.put('a.txt', 'others')
    const changed = await bench.call('write', { path: 'a.txt', content: 'mine' })
    expect([changed.isError, changed.text]).toEqual([
      true,
      'a.txt was not written: it has changed since it was read; read it again',
    ])
    expect(await bench.get('a.txt')).toBe('others')
  })

  it('may write what it has written', async () => {
    for (const content of ['1', '2', '3']) {
      expect((await bench.call('write', { path: 'a.txt', content })).isError).toBe(false)
    }
    expect(await bench.get('a.txt')).toBe('3')
  })

  it('is an error result where the path cannot be written', async () => {
    await bench.put('file', '')
    const below = await bench.call('write', { path: 'file/below', content: '' })
    expect([below.isError, below.text]).toEqual([
      true,
      `cannot write ${bench.cwd}/file/below: a part of the path is a file, not a folder`,
    ])
    expect((await bench.call('write', { path: '.', content: '' })).text).toContain('it is a folder')
  })
})

describe('edit', () => {
  it('replaces one place, and says where it was in the diff', async () => {
    await putRead('a.txt', 'a\nb\nc\n')
    expect(await edit('a.txt', 'b', 'B')).toEqual({
      isError: false,
      text: 'changed a.txt',
      details: {
        path: 'a.txt',
        before: hash('a\nb\nc\n'),
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n',
        after: hash('a\nB\nc\n'),
      },
      outputs: [],
    })
  })

  it('replaces every place where asked to', async () => {
    await putRead('a.txt', 'x = x + x\n')
    expect((await edit('a.txt', 'x', 'xx', true)).text).toBe('changed a.txt in 3 places')
    expect(await bench.get('a.txt')).toBe('xx = xx + xx\n')
  })

  it('takes $ and back-slashes as they are', async () => {
    await putRead('a.txt', 'price')
    await edit('a.txt', 'price', "$& $1 $$ $` $' \\n \\")
    expect(await bench.get('a.txt')).toBe("$& $1 $$ $` $' \\n \\")
  })

  it('says how often and where an ambiguous text matches', async () => {
    await putRead('a.txt', 'x\ny\nx\n')
    const said = await edit('a.txt', 'x', 'z')
    expect([said.isError, said.text]).toEqual([
      true,
      'a.txt was not changed: old_text matches 2 times, on lines 1, 3; add lines around it to match once, or set replace_all',
    ])
  })

  it('points to the line that differs in white space only', async () => {
    await putRead('a.txt', 'if (a) {\n    b()\n}\n')
    expect((await edit('a.txt', '  b()\n}', 'c()')).text).toBe('changed a.txt')
    expect((await edit('a.txt', '\tc()', 'd()')).text).toBe(
      'a.txt was not changed: old_text is not in it; line 2 is like its first line: compare white space. Read the file again and copy the text exactly',
    )
    expect((await edit('a.txt', 'nowhere', '')).text).toBe(
      'a.txt was not changed: old_text is not in it. Read the file again and copy the text exactly',
    )
  })

  it('refuses an empty old text, a text that would not change, and a file that is missing', async () => {
    await bench.put('src/a.txt', '')
    expect((await edit('src/a.txt', '', 'x')).text).toBe('old_text is empty; to make a file use write')
    expect((await edit('src/a.txt', 'x', 'x')).text).toBe('old_text and new_text are the same')
    expect((await edit('src/b.txt', 'x', 'y')).text).toBe('src/b.txt does not exist; did you mean src/a.txt?')
  })

  it('refuses what was not read, or has changed since, in size and time the same too', async () => {
    const path = await bench.put('a.txt', 'one')
    expect((await edit('a.txt', 'one', 'two')).text).toContain('it has not been read yet')
    await bench.call('read', { path: 'a.txt' })
    const { atime, mtime } = await stat(path)
    await writeFile(path, 'ONE')
    await utimes(path, atime, mtime)
    expect((await edit('a.txt', 'ONE', 'two')).text).toContain('it has changed since it was read')
    expect(await bench.get('a.txt')).toBe('ONE')
  })

  it('matches LF in a CRLF file, which stays one, its BOM too', async () => {
    await putRead('a.txt', '\ufeffone\r\ntwo\r\nthree\r\n')
    expect((await edit('a.txt', 'one\ntwo\n', 'one\n2\nand\n')).isError).toBe(false)
    expect(await bench.get('a.txt')).toBe('\ufeffone\r\n2\r\nand\r\nthree\r\n')
  })

  it('leaves the lines it does not touch as they were where line ends are mixed', async () => {
    await putRead('a.txt', 'a\r\nb\nc\r\nd\ne\n')
    expect((await edit('a.txt', 'a\nb\nc\nd', 'a\nb\nC\nd')).isError).toBe(false)
    expect(await bench.get('a.txt')).toBe('a\r\nb\nC\r\nd\ne\n')
  })

  it.each([
    ['Latin-1', Buffer.from('caf\xe9 au lait', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffau lait', 'utf16le')],
  ])('refuses a file in %s, and leaves its bytes alone', async (_, bytes) => {
    const path = await bench.put('a.txt', bytes)
    await bench.call('read', { path: 'a.txt' })
    expect((await edit('a.txt', 'au', 'sans')).isError).toBe(true)
    expect(bytes.equals(await readFile(path))).toBe(true)
  })

  it('keeps mode and symlink', async () => {
    const target = await bench.put('real.sh', 'echo one\n')
    await chmod(target, 0o755)
    const link = join(bench.cwd, 'link.sh')
    await symlink('real.sh', link)
    await bench.call('read', { path: 'link.sh' })
    expect((await edit('link.sh', 'one', 'two')).isError).toBe(false)
    expect([await bench.get('real.sh'), await readlink(link)]).toEqual(['echo two\n', 'real.sh'])
    expect((await stat(target)).mode & 0o777).toBe(0o755)
  })

  it('several at once on one file are done one after the other', async () => {
    await putRead('a.txt', Array.from({ length: 20 }, (_, i) => `<${i}>`).join('\n'))
    const all = Array.from({ length: 20 }, (_, i) => edit('a.txt', `<${i}>`, `[${i}]`))
    expect((await Promise.all(all)).map(({ isError }) => isError)).toEqual(Array(20).fill(false))
    expect(await bench.get('a.txt')).toBe(Array.from({ length: 20 }, (_, i) => `[${i}]`).join('\n'))
  })
})
