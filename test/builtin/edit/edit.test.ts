import { chmod, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import type { Clock } from '../../../src/clock.ts'
import { createDiskStore } from '../../../src/files/writing/disk-store.ts'
import type { JsonObject, JsonValue } from '../../../src/json-value.ts'
import { growth } from '../../support/cost.ts'
import { createToolbox, type Toolbox } from '../toolbox.ts'
import { changes, hash } from './changes.ts'

let toolbox: Toolbox
beforeEach(async () => {
  toolbox = await createToolbox()
})
afterEach(() => toolbox.close())

const { putRead, edit } = changes(() => toolbox)

describe('edit', () => {
  it('replaces one place, and returns a diff', async () => {
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

  it('replaces every place if asked to', async () => {
    await putRead('a.txt', 'x = x + x\n')
    expect((await edit('a.txt', 'x', 'xx', true)).text).toBe('changed a.txt in 3 places')
    expect(await toolbox.get('a.txt')).toBe('xx = xx + xx\n')
  })

  it('TOOL-311: takes $ and backslashes literally', async () => {
    await putRead('a.txt', 'price')
    await edit('a.txt', 'price', "$& $1 $$ $` $' \\n \\")
    expect(await toolbox.get('a.txt')).toBe("$& $1 $$ $` $' \\n \\")
  })

  it('reports how often and where an ambiguous text matches', async () => {
    await putRead('a.txt', 'x\ny\nx\n')
    const said = await edit('a.txt', 'x', 'z')
    expect([said.isError, said.text]).toEqual([
      true,
      'a.txt was not changed: old_text matches 2 times, on lines 1, 3; add lines around it to match once, or set replace_all',
    ])
  })

  it('reports how the old text was found if not literally', async () => {
    await putRead('a.txt', 'if (a) {\n    b()\n}\n')
    expect(await edit('a.txt', 'b()  \n}', 'c()\n}')).toMatchObject({ isError: true })
    expect(await edit('a.txt', '\tb()\n', '\tc()\n\td()\n')).toEqual({
      isError: false,
      text: 'changed a.txt\nold_text was found with indentation ignored, new_text indented like the file',
      details: {
        path: 'a.txt',
        before: hash('if (a) {\n    b()\n}\n'),
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n if (a) {\n-    b()\n+    c()\n+    d()\n }\n',
        after: hash('if (a) {\n    c()\n    d()\n}\n'),
      },
      outputs: [],
    })
  })

  it('refuses an empty old text, an edit without a change, and a missing file', async () => {
    await putRead('src/a.txt', 'a')
    expect((await edit('src/a.txt', '', 'x')).text).toBe(
      'src/a.txt was not changed: old_text may be empty only to fill an empty file, by one edit',
    )
    expect(await toolbox.get('src/a.txt')).toBe('a')
    expect((await edit('src/a.txt', 'x', 'x')).text).toBe('old_text and new_text are the same')
    expect((await edit('src/b.txt', 'x', 'y')).text).toBe('src/b.txt does not exist; did you mean src/a.txt?')
  })

  it('fills an empty file, and creates a missing one, if the old text is empty', async () => {
    await putRead('empty.txt', '\ufeff')
    expect((await edit('empty.txt', '', 'a\nb\n')).text).toBe('overwrote empty.txt (2 lines, 7 bytes)')
    expect(await toolbox.get('empty.txt')).toBe('\ufeffa\nb\n')
    expect((await edit('new/a.txt', '', 'a\n')).text).toBe('created new/a.txt (1 lines, 2 bytes)')
    expect(await toolbox.get('new/a.txt')).toBe('a\n')
    await toolbox.put('unread.txt', '')
    expect((await edit('unread.txt', '', 'x')).text).toContain('it has not been read yet')
    const edits = [
      { old_text: '', new_text: 'a' },
      { old_text: '', new_text: 'b' },
    ]
    expect(await toolbox.call('edit', { path: 'new/b.txt', edits })).toMatchObject({ isError: true })
  })

  it('inserts CR into a file whose lines all end in CR', async () => {
    await putRead('a.txt', '\ufeffone\rtwo\rthree')
    expect((await edit('a.txt', 'one\ntwo', 'one\r\n2\nand')).isError).toBe(false)
    expect((await edit('a.txt', 'and\rthree', 'and\r3\r')).isError).toBe(false)
    expect(await toolbox.get('a.txt')).toBe('\ufeffone\r2\rand\r3\r')
  })

  it('TOOL-314: refuses a file that was not read or has changed since, even with equal size and time', async () => {
    const path = await toolbox.put('a.txt', 'one')
    expect((await edit('a.txt', 'one', 'two')).text).toContain('it has not been read yet')
    await toolbox.call('read', { path: 'a.txt' })
    const { atime, mtime } = await stat(path)
    await writeFile(path, 'ONE')
    await utimes(path, atime, mtime)
    expect((await edit('a.txt', 'ONE', 'two')).text).toContain('it has changed since it was read')
    expect(await toolbox.get('a.txt')).toBe('ONE')
  })

  it('TOOL-307: matches LF in a CRLF file, and keeps its line ends and BOM', async () => {
    await putRead('a.txt', '\ufeffone\r\ntwo\r\nthree\r\n')
    expect((await edit('a.txt', 'one\ntwo\n', 'one\n2\nand\n')).isError).toBe(false)
    expect(await toolbox.get('a.txt')).toBe('\ufeffone\r\n2\r\nand\r\nthree\r\n')
  })

  it('TOOL-309: keeps the ends of untouched lines in a file that mixes them', async () => {
    await putRead('a.txt', 'a\r\nb\nc\r\nd\ne\n')
    expect((await edit('a.txt', 'a\nb\nc\nd', 'a\nb\nC\nd')).isError).toBe(false)
    expect(await toolbox.get('a.txt')).toBe('a\r\nb\nC\r\nd\ne\n')
  })

  it('TOOL-317: keeps mode and symlink', async () => {
    const target = await toolbox.put('real.sh', 'echo one\n')
    await chmod(target, 0o755)
    const link = join(toolbox.cwd, 'link.sh')
    await symlink('real.sh', link)
    await toolbox.call('read', { path: 'link.sh' })
    expect((await edit('link.sh', 'one', 'two')).isError).toBe(false)
    expect([await toolbox.get('real.sh'), await readlink(link)]).toEqual(['echo two\n', 'real.sh'])
    expect((await stat(target)).mode & 0o777).toBe(0o755)
  })

  it('TOOL-315: applies concurrent edits of one file one after the other', async () => {
    await putRead('a.txt', Array.from({ length: 20 }, (_, i) => `<${i}>`).join('\n'))
    const all = Array.from({ length: 20 }, (_, i) => edit('a.txt', `<${i}>`, `[${i}]`))
    expect((await Promise.all(all)).map(({ isError }) => isError)).toEqual(Array(20).fill(false))
    expect(await toolbox.get('a.txt')).toBe(Array.from({ length: 20 }, (_, i) => `[${i}]`).join('\n'))
  })

  it('TOOL-315: does so also through different names of the file', async () => {
    await putRead('a.txt', 'one two')
    await symlink('a.txt', join(toolbox.cwd, 'link'))
    const both = await Promise.all([edit('a.txt', 'one', '1'), edit('link', 'two', '2')])
    expect(both.map(({ isError }) => isError)).toEqual([false, false])
    expect(await toolbox.get('a.txt')).toBe('1 2')
  })

  it('PATH-193: refuses a file swapped for a link since it was read, and leaves the target unchanged', async () => {
    const outside = await toolbox.put('../outside', 'same')
    await putRead('a.txt', 'same')
    const exchange = async () => {
      await rm(join(toolbox.cwd, 'a.txt'))
      await symlink(outside, join(toolbox.cwd, 'a.txt'))
    }
    await exchange()
    expect((await edit('a.txt', 'same', 'mine')).text).toContain('it now leads to a different file')
    await toolbox.call('read', { path: outside })
    expect((await edit('a.txt', 'same', 'mine')).text).toContain('it now leads to a different file')
    expect((await toolbox.call('write', { path: 'a.txt', content: 'mine' })).isError).toBe(true)
    expect(await toolbox.get('../outside')).toBe('same')
  })

  it('PATH-193: refuses a file swapped for a link between its read and write', async () => {
    const disk = createDiskStore()
    const outside = await toolbox.put('../outside', 'theirs')
    const racing = await createToolbox(undefined, {
      artifacts: {
        ...disk,
        async writeFile(path, ...rest) {
          await rm(path)
          await symlink(outside, path)
          return disk.writeFile(path, ...rest)
        },
      },
    })
    await racing.put('a.txt', 'old')
    await racing.call('read', { path: 'a.txt' })
    expect(await racing.call('edit', { path: 'a.txt', old_text: 'old', new_text: 'new' })).toEqual({
      isError: true,
      text: `cannot write ${racing.cwd}/a.txt: it now leads to a different file`,
      outputs: [],
    })
    await racing.close()
    expect(await toolbox.get('../outside')).toBe('theirs')
  })

  it('can be interrupted during many edits, and then has changed nothing', async () => {
    const file = Array.from({ length: 20_000 }, (_, i) => `    “line ${i}”\n`).join('')
    const edits = Array.from({ length: 500 }, (_, i) => ({
      old_text: `"line ${i}"`,
      new_text: `"LINE ${i}"`,
    }))
    const controller = new AbortController()
    const sleep: Clock['sleep'] = (ms, signal) => {
      controller.abort()
      return systemClock.sleep(ms, signal)
    }
    await toolbox.close()
    toolbox = await createToolbox(undefined, { clock: { ...systemClock, sleep } })
    await putRead('long.txt', file)
    const said = toolbox.call('edit', { path: 'long.txt', edits }, controller.signal)
    await expect(said).rejects.toMatchObject({ code: 'aborted' })
    expect(await toolbox.get('long.txt')).toBe(file)
  })

  it('takes time in proportion to the size of the file, up to 5 MB', async () => {
    const most = 100_000
    const line = 'a line of a file that is rather long, all in all\r\n'
    for (const count of [most, most / 16])
      await putRead(`${count}.txt`, `${line.repeat(count / 2)}mark 0\r\n${line.repeat(count / 2)}`)
    const marks = new Map<number, number>()
    const once = async (count: number) => {
      const mark = marks.get(count) ?? 0
      marks.set(count, mark + 1)
      const { isError } = await edit(`${count}.txt`, `mark ${mark}\n`, `mark ${mark + 1}\n`)
      expect(isError).toBe(false)
    }
    expect(await growth(once, most)).toBeLessThan(64)
  })
})

describe('several edits', () => {
  const edits = (list: JsonValue, more: JsonObject = {}) =>
    toolbox.call('edit', { path: 'a.txt', ...more, edits: list })

  it('in one call are all applied', async () => {
    await putRead('a.txt', 'a\nb\nc\n')
    const list = [
      { old_text: 'a', new_text: 'A' },
      { old_text: '\tb\n', new_text: '\tB\n' },
    ]
    const said = await edits(list, { old_text: 'c', new_text: 'C' })
    expect([said.isError, said.text]).toEqual([
      false,
      'changed a.txt in 3 places\nedit 3 of 3: old_text was found with indentation ignored, new_text indented like the file',
    ])
    expect(await toolbox.get('a.txt')).toBe('A\nB\nC\n')
  })

  it('are all refused if one of them fails', async () => {
    await putRead('a.txt', 'a\n')
    const list = [
      { old_text: 'a', new_text: 'A' },
      { old_text: 'x', new_text: 'y' },
    ]
    expect((await edits(list)).text).toBe(
      'a.txt was not changed: edit 2 of 2: old_text is not in it. Read the file again and copy the text exactly',
    )
    expect(await toolbox.get('a.txt')).toBe('a\n')
  })

  it('may come as JSON text, beside an empty short form', async () => {
    await putRead('a.txt', 'a a\n')
    const list = JSON.stringify([{ old_text: 'a', new_text: 'A', replace_all: true }])
    expect((await edits(list, { old_text: '', new_text: '' })).text).toBe('changed a.txt in 2 places')
  })

  it('must contain at least one', async () => {
    const { text } = await toolbox.call('edit', { path: 'a.txt', old_string: 'a', new_string: 'b' })
    expect(text.split('\n')[0]).toBe(
      'bad arguments for edit: what to change is missing: old_text and new_text, or edits; unknown: old_string, new_string',
    )
    expect((await edits('all of it')).text).toContain('bad arguments for edit: edits:')
  })
})
