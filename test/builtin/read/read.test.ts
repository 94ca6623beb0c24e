import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { drainRun, toolContext } from '../../support/conversations/tool-run.ts'
import { extendedWebp, gif, jpeg, losslessWebp, pdf, png, webp } from '../../support/messages/media.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { createToolbox, path, type Toolbox } from '../toolbox.ts'

let toolbox: Toolbox
beforeEach(async () => {
  toolbox = await createToolbox()
})
afterEach(() => toolbox.close())

const read = async (args: Record<string, string | number>) => {
  const { isError, text } = await toolbox.call('read', args)
  return isError ? { error: text } : text
}

describe('text', () => {
  it('has line numbers, and nothing else', async () => {
    await toolbox.put('src/a.ts', 'one\n\ttwo\r\nthree')
    expect(await read({ path: 'src/a.ts' })).toBe('1\tone\n2\t\ttwo\n3\tthree')
    expect(await read({ path: join(toolbox.cwd, 'src/a.ts'), offset: 3 })).toBe('3\tthree')
  })

  it('is found below the given home folder', async () => {
    await toolbox.put('../home/notes', 'mine')
    expect(await read({ path: '~/notes' })).toBe('1\tmine')
    expect(await read({ path: '~' })).not.toContain(homedir())
  })

  it('is whole up to 2,000 lines; above that it explains how to continue', async () => {
    const lines = Array.from({ length: 2_001 }, (_, i) => `${i + 1}`)
    await toolbox.put('whole', `${lines.slice(0, 2_000).join('\n')}\n`)
    await toolbox.put('more', `${lines.join('\n')}\n`)
    const numbered = (text: string) => `${text}\t${text}`
    const all = lines.map(numbered)
    expect(await read({ path: 'whole' })).toBe(all.slice(0, 2_000).join('\n'))
    expect(await read({ path: 'more', limit: 5_000 })).toBe(
      `${all.slice(0, 2_000).join('\n')}\n[lines 1-2000; use offset=2001 to continue]`,
    )
    expect(await read({ path: 'more', offset: 2_001 })).toBe('2001\t2001')
  })

  it('is cut at 50 KB, after a line', async () => {
    await toolbox.put('wide', `${'x'.repeat(999)}\n`.repeat(60))
    const rows = Array.from({ length: 51 }, (_, i) => `${i + 1}\t${'x'.repeat(999)}`)
    expect(await read({ path: 'wide' })).toBe(
      `${rows.join('\n')}\n[lines 1-51 of 60; use offset=52 to continue]`,
    )
  })

  it('has long lines cut at 2,000 characters', async () => {
    await toolbox.put('long', `${'x'.repeat(2_000)}\n${'y'.repeat(2_001)}\n`)
    expect(await read({ path: 'long' })).toBe(
      `1\t${'x'.repeat(2_000)}\n2\t${'y'.repeat(2_000)} [line cut]\n[a line is shown up to 2000 characters; for the rest: sed -n 2p and cut -c, through bash]`,
    )
  })

  it('gets a note if it is empty, and an error if it ends before the offset', async () => {
    await toolbox.put('empty', '')
    await toolbox.put('short', 'one\ntwo\n')
    expect(await read({ path: 'empty' })).toBe('(empty is empty)')
    expect(await read({ path: 'short', offset: 9 })).toEqual({
      error: 'offset 9 is beyond the end of short, which has 2 lines',
    })
  })

  slowIt('TOOL-319: in one line of 200 MB is cut, with little memory', async () => {
    const path = await toolbox.put('long.log', 'x'.repeat(20_000))
    await truncate(path, 200_000_000)
    const before = process.memoryUsage().rss
    expect(await read({ path: 'long.log' })).toBe(
      `1\t${'x'.repeat(2_000)} [line cut]\n[a line is shown up to 2000 characters; for the rest: sed -n 1p and cut -c, through bash]`,
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })

  it.each([
    ['UTF-16LE', Buffer.from('\ufeffcafé\r\n文\n', 'utf16le')],
    ['UTF-16BE', Buffer.from('café\r\n文\n', 'utf16le').swap16()],
  ])('TOOL-310: in %s is read, with a note on its encoding', async (encoding, bytes) => {
    await toolbox.put('a.txt', bytes)
    expect(await read({ path: 'a.txt' })).toBe(`1\tcafé\n2\t文\n[file is ${encoding}]`)
    expect(await read({ path: 'a.txt', limit: 1 })).toBe(
      `1\tcafé\n[file is ${encoding}]\n[lines 1-1; use offset=2 to continue]`,
    )
  })

  it('TOOL-310: in Latin-1 or damaged UTF-8 is read, with a note', async () => {
    await toolbox.put('latin', Buffer.from('caf\xe9\n', 'latin1'))
    await toolbox.put('damaged', Buffer.concat([Buffer.from('äöü '), Buffer.from([0xff])]))
    expect(await read({ path: 'latin' })).toBe('1\tcafé\n[file is Latin-1]')
    expect(await read({ path: 'damaged' })).toBe(
      '1\täöü \ufffd\n[file is damaged UTF-8: unreadable bytes are shown as \ufffd, and edit refuses the file]',
    )
  })

  it('shows no byte order mark, and NUL as a symbol', async () => {
    await toolbox.put('marked', `\ufeffone\n${'x\n'.repeat(5_000)}a\0b`)
    expect(await read({ path: 'marked', limit: 1 })).toBe('1\tone\n[lines 1-1; use offset=2 to continue]')
    expect(await read({ path: 'marked', offset: 5_002 })).toBe('5002\ta␀b')
  })

  it('may be a notebook, or begin like an image', async () => {
    await toolbox.put('a.ipynb', '{"cells": []}\n')
    await toolbox.put('notes', 'Convert WEBP images\n')
    await toolbox.put('pdf.md', '%PDF-ish notes\n')
    expect(await read({ path: 'a.ipynb' })).toBe('1\t{"cells": []}')
    expect(await read({ path: 'pdf.md' })).toBe('1\t%PDF-ish notes')
    expect(await read({ path: 'notes' })).toBe('1\tConvert WEBP images')
  })
})

quickDescribe('a file that is not text', () => {
  const result = async (path: string) =>
    (await drainRun(toolbox.executor.execute('read', { path }, toolContext()))).result

  it.each([
    ['image/png', '1x1', png()],
    ['image/gif', '1x1', gif],
    ['image/webp', '1x1', webp],
    ['image/webp', '1x1', losslessWebp],
    ['image/webp', '1x1', extendedWebp],
    ['image/jpeg', '32x16', jpeg],
    ['image/png', '2000x2000', png(2_000, 2_000)],
  ])('is shown as %s of %s', async (mimeType, size, bytes) => {
    await toolbox.put('image', bytes)
    expect(await result('image')).toMatchObject({
      content: [
        { type: 'text', text: `image: ${mimeType}, ${size}, ${bytes.length} bytes` },
        { type: 'image', mimeType, data: bytes.toString('base64') },
      ],
      isError: false,
    })
  })

  it('is refused as a damaged or too large image', async () => {
    const how = "make a smaller one through bash (convert -resize '2000x2000>'), and read that"
    await toolbox.put('wide.png', png(2_001, 10))
    await toolbox.put('big.png', png(10, 10, 5_000_000))
    await toolbox.put('empty.png', png(0, 10))
    await toolbox.put('cut.png', png().subarray(0, -4))
    await toolbox.put('cut.jpg', jpeg.subarray(0, 24))
    await toolbox.put('cut.pdf', pdf.subarray(0, -10))
    expect(await read({ path: 'wide.png' })).toEqual({
      error: `wide.png is an image of 2001x10 pixels, above 2000x2000: ${how}`,
    })
    expect(await read({ path: 'big.png' })).toEqual({ error: `big.png is an image above 4.5 MB: ${how}` })
    for (const path of ['empty.png', 'cut.jpg'])
      expect(await read({ path })).toEqual({ error: `${path} cannot be shown: the image is damaged` })
    const cut = (path: string, what: string) => ({
      error: `${path} cannot be shown: the ${what} is cut off or damaged`,
    })
    expect(await read({ path: 'cut.png' })).toEqual(cut('cut.png', 'image'))
    expect(await read({ path: 'cut.pdf' })).toEqual(cut('cut.pdf', 'PDF'))
  })

  it('is shown as a document if it is a PDF of at most 4.5 MB', async () => {
    await toolbox.put('docs/a.pdf', pdf)
    await toolbox.put('big.pdf', Buffer.concat([pdf, Buffer.alloc(5_000_000)]))
    expect(await result('docs/a.pdf')).toMatchObject({
      content: [
        {
          type: 'text',
          text: `docs/a.pdf: application/pdf, ${pdf.length} bytes; if you cannot see it, get its text with pdftotext through bash\n`,
        },
        { type: 'document', mimeType: 'application/pdf', data: pdf.toString('base64'), name: 'a.pdf' },
      ],
      isError: false,
    })
    expect(await read({ path: 'big.pdf' })).toEqual({
      error: 'big.pdf is a PDF above 4.5 MB: read its text through bash (pdftotext), or extract pages (qpdf)',
    })
  })

  it.each([
    ['\x7fELF\x02\x01\x01\0', 'an ELF program', 'file, nm or strings'],
    ['SQLite format 3\0', 'an SQLite database', 'sqlite3'],
    ['a\0b', 'it holds NUL bytes', 'file, strings or xxd'],
  ])('is refused as binary %j, with its kind', async (bytes, kind, look) => {
    await toolbox.put('blob', Buffer.from(bytes, 'latin1'))
    expect(await read({ path: 'blob' })).toEqual({
      error: `blob is binary (${kind}, ${bytes.length} bytes): look at it through bash (${look})`,
    })
  })

  it('is refused as UTF-16 of 30 MB, with advice on its conversion', async () => {
    await toolbox.put('big', Buffer.alloc(30_000_000, Buffer.from('line\n', 'utf16le')))
    expect(await read({ path: 'big' })).toEqual({
      error: 'big is binary (UTF-16 text, above 20 MB): look at it through bash (iconv -f UTF-16 -t UTF-8)',
    })
  })

  it('is listed as a folder', async () => {
    await toolbox.put('src/a.ts', '')
    await toolbox.put('src/lib/b.ts', '')
    await mkdir(join(toolbox.cwd, 'void'))
    expect(await read({ path: 'src' })).toBe('src is a folder:\na.ts\nlib/')
    expect(await read({ path: 'void' })).toBe('void is an empty folder')
    await toolbox.put('void/nl\nname', '')
    expect(await read({ path: 'void' })).toBe('void is a folder:\n"nl\\nname"')
  })

  it('is listed as a very large folder up to the size of a result', async () => {
    const name = (i: number) => `${String(i).padStart(4, '0')}${'x'.repeat(96)}`
    for (let i = 0; i < 600; i++) await toolbox.put(`many/${name(i)}`, '')
    const shown = Array.from({ length: 506 }, (_, i) => name(i))
    expect(await read({ path: 'many' })).toBe(
      ['many is a folder:', ...shown, '[entries 1-506 of 600; use offset=507 to continue]'].join('\n'),
    )
    expect(await read({ path: 'many', offset: 507, limit: 2 })).toBe(
      [
        'many is a folder:',
        name(506),
        name(507),
        '[entries 507-508 of 600; use offset=509 to continue]',
      ].join('\n'),
    )
    expect(await read({ path: 'many', offset: 600 })).toBe(`many is a folder:\n${name(599)}`)
    expect(await read({ path: 'many', offset: 601 })).toEqual({
      error: 'offset 601 is beyond the end of many, which has 600 entries',
    })
  })

  it('is refused as a FIFO or device without waiting', async () => {
    execFileSync('mkfifo', [join(toolbox.cwd, 'fifo')])
    for (const path of ['fifo', '/dev/zero']) {
      expect(await read({ path })).toEqual({ error: expect.stringContaining('not a regular file') })
    }
  })
})

it('names no denied file, neither in a folder nor near a name, by either path', async () => {
  await toolbox.close()
  toolbox = await createToolbox(
    { PATH: path },
    { mayRead: (file) => !/\/(\.env|real\/key|keys)$/.test(file) },
  )
  for (const name of ['.env', 'real/key', 'real/kez', 'keys/a']) await toolbox.put(name, '')
  await symlink('real', join(toolbox.cwd, 'link'))
  expect(await read({ path: '.' })).toBe('. is a folder:\nlink\nreal/')
  expect(await read({ path: 'link' })).toBe('link is a folder:\nkez')
  expect(await read({ path: '.envv' })).toEqual({ error: '.envv does not exist; use glob to find it' })
  expect(await read({ path: 'link/kex' })).toEqual({
    error: 'link/kex does not exist; did you mean link/kez?',
  })
})

it('neither opens nor names a denied file that only looks like the requested one', async () => {
  await toolbox.close()
  toolbox = await createToolbox({ PATH: path }, { mayRead: (file) => !file.endsWith('\u202fkey') })
  await toolbox.put('a\u202fkey', 'secret')
  expect(await read({ path: 'a key' })).toEqual({ error: 'a key does not exist; use glob to find it' })
})

quickDescribe('a path that does not exist', () => {
  it('returns the nearest names beside it', async () => {
    for (const name of ['executor.ts', 'execute.ts', 'README.md', 'other.ts'])
      await toolbox.put(`src/${name}`, '')
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

  it.each([
    ['R\u00e9sum\u00e9.txt', 'Re\u0301sume\u0301.txt', '"Re\\u0301sume\\u0301.txt"'],
    ['Re\u0301sume\u0301.txt', 'R\u00e9sum\u00e9.txt', '"R\\u00e9sum\\u00e9.txt"'],
    ['\ud55c\uae00', '\u1112\u1161\u11ab\u1100\u1173\u11af', '"\\u1112\\u1161\\u11ab\\u1100\\u1173\\u11af"'],
    ['at 1.00.00 PM.png', 'at 1.00.00\u202fPM.png', '"at 1.00.00\\u202fPM.png"'],
    ['Bob\'s "plan".md', 'Bob\u2019s \u201cplan\u201d.md', '"Bob\\u2019s \\u201cplan\\u201d.md"'],
  ])('reads the only file beside it that looks the same: %j, %j', async (asked, there, shown) => {
    await toolbox.put(there, 'mine')
    expect(await read({ path: asked })).toBe(
      `1\tmine\n[this is ${shown}: the same letters in other code points]`,
    )
    expect(await toolbox.call('edit', { path: asked, old_text: 'mine', new_text: 'yours' })).toMatchObject({
      isError: true,
      text: `${asked} does not exist; beside it is ${shown}: the same letters in other code points, so give the path with these escapes`,
    })
    expect(await toolbox.call('edit', { path: there, old_text: 'mine', new_text: 'yours' })).toMatchObject({
      isError: false,
    })
  })

  it('reads neither one of two that look the same, nor a link', async () => {
    const advice = 'the same letters in other code points, so give the path with these escapes'
    for (const name of ['a\u202fb', 'a\u00a0b']) await toolbox.put(name, '')
    expect(await read({ path: 'a b' })).toEqual({
      error: `a b does not exist; beside it is "a\\u00a0b", "a\\u202fb": ${advice}`,
    })
    await symlink('a\u202fb', join(toolbox.cwd, 'c\u202fd'))
    expect(await read({ path: 'c d' })).toEqual({
      error: `c d does not exist; beside it is "c\\u202fd": ${advice}`,
    })
    expect(await read({ path: 'c\u202fd' })).toBe('(c\u202fd is empty)')
  })

  it('lists a folder that looks the same', async () => {
    await toolbox.put('e\u0301/a', '')
    expect(await read({ path: '\u00e9' })).toBe(
      'e\u0301 is a folder:\na\n[this is "e\\u0301": the same letters in other code points]',
    )
  })

  it('is distinguished from a dangling link', async () => {
    await symlink('gone', join(toolbox.cwd, 'link'))
    expect(await read({ path: 'link' })).toEqual({ error: 'link is a symbolic link to nothing' })
  })

  it('is an error result even if it cannot exist', async () => {
    expect(await read({ path: 'a\0b' })).toEqual({
      error: expect.stringContaining('the path contains a NUL byte'),
    })
  })
})

quickDescribe('an actor without a capability', () => {
  it.each([
    ['tool_read_file', 'a.png', 'read_assets'],
    ['read_assets', 'a.txt', 'tool_read_file'],
    ['read_assets', '.', 'tool_read_file'],
  ] as const)('with %s alone may not read %s', async (only, path, needed) => {
    await toolbox.put('a.txt', 'one\n')
    await toolbox.put('a.png', png())
    const context = toolContext()
    const limited = { ...context, actor: { ...context.actor, capabilities: [only] } }
    const { result } = await drainRun(toolbox.executor.execute('read', { path }, limited))
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: `you may not read ${path}: you do not have the capability ${needed}` }],
    })
    const allowed = await drainRun(
      toolbox.executor.execute('read', { path: only === 'read_assets' ? 'a.png' : 'a.txt' }, limited),
    )
    expect(allowed.result.isError).toBe(false)
  })
})
