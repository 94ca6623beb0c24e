import { chmod, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createToolbox, type Toolbox } from '../toolbox.ts'
import { changes, hash } from './changes.ts'

let toolbox: Toolbox
beforeEach(async () => {
  toolbox = await createToolbox()
})
afterEach(() => toolbox.close())

const { putRead, edit } = changes(() => toolbox)
const disk = async () => (await readdir(toolbox.cwd)).sort()

describe('write', () => {
  it('creates a file and its folders', async () => {
    expect(await toolbox.call('write', { path: 'a/b.txt', content: 'one\ntwo\n' })).toEqual({
      isError: false,
      text: 'created a/b.txt (2 lines, 8 bytes)',
      details: {
        path: 'a/b.txt',
        diff: '--- /dev/null\n+++ b/a/b.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
        after: hash('one\ntwo\n'),
      },
      outputs: [],
    })
    expect(await toolbox.get('a/b.txt')).toBe('one\ntwo\n')
  })

  it('overwrites a file that was read, and shows the changes', async () => {
    await putRead('a.txt', 'one\ntwo\n')
    expect(await toolbox.call('write', { path: 'a.txt', content: 'one\n2\n' })).toEqual({
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

  it('refuses to overwrite a file that was not read or has changed since', async () => {
    await toolbox.put('a.txt', 'theirs')
    const unread = await toolbox.call('write', { path: 'a.txt', content: 'mine' })
    expect([unread.isError, unread.text]).toEqual([
      true,
      'a.txt was not written: it has not been read yet; read it first',
    ])
    await toolbox.call('read', { path: 'a.txt' })
    await toolbox.put('a.txt', 'others')
    const changed = await toolbox.call('write', { path: 'a.txt', content: 'mine' })
    expect([changed.isError, changed.text]).toEqual([
      true,
      'a.txt was not written: it has changed since it was read; read it again',
    ])
    expect(await toolbox.get('a.txt')).toBe('others')
  })

  it.each([
    [
      'UTF-16LE',
      Buffer.from('\ufeffold', 'utf16le'),
      Buffer.from('\ufeffnéw', 'utf16le'),
      ', UTF-16LE as before',
    ],
    ['Latin-1', Buffer.from('\xf6ld', 'latin1'), Buffer.from('n\xe9w', 'latin1'), ', Latin-1 as before'],
    ['UTF-8 with its mark', Buffer.from('\ufeffold'), Buffer.from('\ufeffnéw'), ''],
  ])('keeps %s', async (_, old, after, said) => {
    await putRead('a.txt', old)
    expect((await toolbox.call('write', { path: 'a.txt', content: 'néw' })).text).toBe(
      `overwrote a.txt (1 lines, ${after.length} bytes${said})`,
    )
    expect(after.equals(await readFile(join(toolbox.cwd, 'a.txt')))).toBe(true)
  })

  it('keeps the line ends of a file in which all are CRLF', async () => {
    await putRead('a.txt', 'one\r\ntwo\r\n')
    expect(await toolbox.call('write', { path: 'a.txt', content: 'one\n2\n' })).toEqual({
      isError: false,
      text: 'overwrote a.txt (2 lines, 8 bytes, CRLF as before)',
      details: {
        path: 'a.txt',
        before: hash('one\r\ntwo\r\n'),
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n',
        after: hash('one\r\n2\r\n'),
      },
      outputs: [],
    })
    expect((await toolbox.call('write', { path: 'a.txt', content: 'a\r\nb\n' })).text).toBe(
      'overwrote a.txt (2 lines, 5 bytes)',
    )
    expect((await toolbox.call('write', { path: 'a.txt', content: 'a\nb\n' })).text).toBe(
      'overwrote a.txt (2 lines, 4 bytes)',
    )
    expect(await toolbox.get('a.txt')).toBe('a\nb\n')
  })

  it('overwrites an image that was read', async () => {
    const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    await putRead('a.gif', Buffer.from(pixel, 'base64'))
    expect((await toolbox.call('write', { path: 'a.gif', content: 'text' })).isError).toBe(false)
  })

  it('reports a read-only file', async () => {
    await chmod(await toolbox.put('a.txt', 'old'), 0o444)
    await toolbox.call('read', { path: 'a.txt' })
    expect((await toolbox.call('write', { path: 'a.txt', content: 'new' })).text).toBe(
      'a.txt was not written: it is read-only; to change it, run chmod u+w through bash first',
    )
    expect((await edit('a.txt', 'old', 'new')).text).toContain('it is read-only')
    expect(await toolbox.get('a.txt')).toBe('old')
  })

  it('creates no file whose name only looks the same as another', async () => {
    await toolbox.put('Re\u0301sume\u0301.txt', 'mine')
    await symlink('nowhere', join(toolbox.cwd, 'a\u202fb'))
    const advice = 'the same letters in other code points, so give the path with these escapes'
    expect(await toolbox.call('write', { path: 'R\u00e9sum\u00e9.txt', content: '' })).toMatchObject({
      isError: true,
      text: `R\u00e9sum\u00e9.txt was not written: beside it is "Re\\u0301sume\\u0301.txt": ${advice}`,
    })
    expect(await toolbox.call('edit', { path: 'a b', old_text: '', new_text: 'x' })).toMatchObject({
      isError: true,
      text: `a b was not written: beside it is "a\\u202fb": ${advice}`,
    })
    expect(await disk()).toEqual(['Re\u0301sume\u0301.txt', 'a\u202fb'])
  })

  it('shows a name with a line break in one row', async () => {
    expect((await toolbox.call('write', { path: 'a\nb.txt', content: '' })).text).toBe(
      'created "a\\nb.txt" (0 lines, 0 bytes)',
    )
  })

  it('may overwrite its own file', async () => {
    for (const content of ['1', '2', '3']) {
      expect((await toolbox.call('write', { path: 'a.txt', content })).isError).toBe(false)
    }
    expect(await toolbox.get('a.txt')).toBe('3')
  })

  it('is an error result if the path cannot be written', async () => {
    await toolbox.put('file', '')
    const below = await toolbox.call('write', { path: 'file/below', content: '' })
    expect([below.isError, below.text]).toEqual([
      true,
      `cannot find ${toolbox.cwd}/file/below: a part of the path is a file, not a folder`,
    ])
    const written = async (path: string) => {
      const { isError, text } = await toolbox.call('write', { path, content: '' })
      return isError ? { error: text } : text
    }
    await toolbox.put('folder/a', '')
    for (const path of ['.', 'folder', 'folder/', 'new/', 'new/.', '..']) {
      expect(await written(path)).toEqual({
        error: `${path} was not written: it is a folder; name a file in it`,
      })
    }
    for (const path of [' ', '\n']) {
      expect(await written(path)).toEqual({ error: 'nothing was written: the path is only white space' })
    }
    expect(await disk()).toEqual(['file', 'folder'])
  })
})
