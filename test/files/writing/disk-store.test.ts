import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, open, symlink } from 'node:fs/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { artifactStoreConformance } from '../../../src/conformance/artifact-store.ts'
import { LineCollector } from '../../../src/files/reading/text-lines.ts'
import { createDiskStore } from '../../../src/files/writing/disk-store.ts'
import { conforms } from '../../support/conforms.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'
import { type Folder, temporaryFolder } from '../folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

const store = createDiskStore()
const options = { signal: new AbortController().signal }
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

/** A sparse file of this size, with text at its end and its beginning. */
async function sparse(name: string, size: number, end: string, beginning = ''): Promise<string> {
  const path = await folder.put(name, beginning)
  const file = await open(path, 'r+')
  await file.truncate(size)
  await file.write(end, size)
  await file.close()
  return path
}

conforms(
  'the disk keeps the promises of a store of files: it',
  artifactStoreConformance(async () => ({ store, root: await folderWith() })),
)

quickDescribe('reading', () => {
  it('returns the bytes of a file, or the first of them', async () => {
    const path = await folder.put('file', 'some text')
    expect(text(await store.readFile(path, options))).toBe('some text')
    expect(text(await store.readFile(path, { ...options, maxBytes: 4 }))).toBe('some')
  })

  it('returns large files whole', async () => {
    const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => `${i}\n`).join(''))
    const path = await folder.put('large', content)
    expect(content.equals(await store.readFile(path, options))).toBe(true)
  })

  it('reads files without a size, as in /proc', async () => {
    expect(text(await store.readFile('/proc/self/status', options))).toContain('Name:')
  })

  it('refuses a FIFO, a device, a folder and symlinks to them without waiting', async () => {
    execFileSync('mkfifo', [folder.at('fifo')])
    await symlink('fifo', folder.at('link'))
    for (const path of [folder.at('fifo'), folder.at('link'), '/dev/zero', '/dev/tty', folder.root]) {
      for (const read of [store.readFile, store.getRevision]) {
        await expect(read(path, options)).rejects.toMatchObject({ code: 'invalid', details: { path } })
      }
    }
  })

  it('reports a missing file', async () => {
    const path = folder.at('missing')
    await expect(store.readFile(path, options)).rejects.toMatchObject({
      code: 'not_found',
      message: `cannot read ${path}: no such file or folder`,
    })
    await expect(store.listDir(path, options)).rejects.toMatchObject({ code: 'not_found' })
    await expect(store.readFile('a\0b', options)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('does nothing once the signal has fired', async () => {
    const path = await folder.put('file')
    const gone = { signal: AbortSignal.abort() }
    const all = [
      () => store.readFile(path, gone),
      () => store.readFileRange(path, { start: 1, end: 2, maxLineLength: 10 }, gone),
      () => store.realPath(path, gone),
      () => store.getRevision(path, gone),
      () => store.listDir(folder.root, gone),
      () => store.writeFile(path, new Uint8Array(), gone),
    ]
    for (const one of all) await expect(one()).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('a range of lines', () => {
  const range = (path: string, start: number, end: number, maxLineLength = 100) =>
    store.readFileRange(path, { start, end, maxLineLength }, options)

  it('is counted from 1, includes both ends, and reports whether more lines follow', async () => {
    const path = await folder.put('file', 'one\ntwo\r\nthree\nfour')
    expect(await range(path, 2, 3)).toEqual({ lines: ['two', 'three'], more: true })
    expect(await range(path, 3, 9)).toEqual({ lines: ['three', 'four'], more: false, total: 4 })
    expect(await range(path, 7, 9)).toEqual({ lines: [], more: false, total: 4 })
  })

  it('does not count an empty line after the last line break', async () => {
    expect(await range(await folder.put('file', 'one\n'), 1, 1)).toEqual({
      lines: ['one'],
      more: false,
      total: 1,
    })
    expect(await range(await folder.put('empty', ''), 1, 1)).toEqual({ lines: [], more: false, total: 0 })
    expect(await range(await folder.put('blank', '\n\n'), 1, 5)).toEqual({
      lines: ['', ''],
      more: false,
      total: 2,
    })
  })

  it('cuts long lines, never within a character', async () => {
    const path = await folder.put('file', `${'é'.repeat(50)}\n${'😀'.repeat(50)}\nshort`)
    expect((await range(path, 1, 3, 7)).lines).toEqual(['ééééééé', '😀😀😀', 'short'])
  })

  it('takes little memory in a 3 GB file and in a line of 200 MB', async () => {
    const big = await sparse('big', 3_000_000_000, '\nlast\n', 'first\n')
    const long = await sparse('long', 200_000_000, '\nlast\n')
    const before = process.memoryUsage().rss
    expect(await range(big, 1, 1)).toEqual({ lines: ['first'], more: true })
    expect(await range(long, 2, 2)).toEqual({ lines: ['last'], more: false, total: 2 })
    expect(await range(long, 1, 1, 3)).toEqual({ lines: ['\0\0\0'], more: true })
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000)
  })

  sizedIt('is the same however the bytes are split into chunks', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 12 })
    fc.assert(
      fc.property(
        fc.array(line),
        fc.nat(6),
        fc.nat(6),
        fc.integer({ min: 1, max: 9 }),
        (lines, start, more, size) => {
          const bytes = Buffer.from(lines.join('\n'))
          const wanted = { start: start + 1, end: start + 1 + more, maxLineLength: 5 }
          const whole = new LineCollector(wanted)
          whole.push(bytes)
          const pieces = new LineCollector(wanted)
          for (let at = 0; at < bytes.length; at += size)
            if (!pieces.push(bytes.subarray(at, at + size))) break
          expect(pieces.finish()).toEqual(whole.finish())
        },
      ),
      { numRuns: sized(200, 40) },
    )
  })
})

it('returns the SHA-256 of the content as revision, and none for a missing file', async () => {
  const content = Buffer.alloc(700_000, 'text')
  const path = await folder.put('file', content)
  expect(await store.getRevision(path, options)).toBe(createHash('sha256').update(content).digest('hex'))
  expect(await store.getRevision(folder.at('missing'), options)).toBe(undefined)
})

it('lists names sorted, folders with a slash', async () => {
  await folder.put('b')
  await folder.put('.hidden')
  await mkdir(folder.at('a'))
  await symlink('a', folder.at('link'))
  expect(await store.listDir(folder.root, options)).toEqual(['.hidden', 'a/', 'b', 'link'])
})

it('resolves a real path, and refuses to write through a link', async () => {
  const real = await folder.put('real', 'old')
  await symlink('real', folder.at('link'))
  expect(await store.realPath(folder.at('link'), options)).toBe(real)
  await expect(store.writeFile(folder.at('link'), Buffer.from('new'), options)).rejects.toMatchObject({
    code: 'invalid',
    message: `cannot write ${folder.at('link')}: it now leads to a different file`,
  })
  expect(text(await store.readFile(real, options))).toBe('old')
  await expect(store.realPath(`${real}/below`, options)).rejects.toMatchObject({ code: 'not_found' })
})

quickDescribe('PATH-193: with links not followed', () => {
  const strictly = { ...options, followLinks: false }

  it('reads and lists a real path', async () => {
    const path = await folder.put('folder/file', 'one\ntwo')
    expect(text(await store.readFile(path, strictly))).toBe('one\ntwo')
    expect(await store.readFileRange(path, { start: 2, end: 2, maxLineLength: 9 }, strictly)).toEqual({
      lines: ['two'],
      more: false,
      total: 2,
    })
    expect(await store.listDir(folder.at('folder'), strictly)).toEqual(['file'])
    await expect(store.listDir(path, strictly)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('neither reads nor lists through a link, wherever in the path it is', async () => {
    await folder.put('real/inner/file', 'secret')
    await symlink('real', folder.at('folder'))
    await symlink('real/inner/file', folder.at('file'))
    await symlink('real/inner', folder.at('inner'))
    const refused = (doing: string, path: string) => ({
      code: 'invalid',
      message: `cannot ${doing} ${path}: it now leads to a different file`,
      details: { path, reason: 'exchanged' },
    })
    for (const path of ['file', 'folder/inner/file'].map(folder.at)) {
      await expect(store.readFile(path, strictly)).rejects.toMatchObject(refused('read', path))
      const range = store.readFileRange(path, { start: 1, end: 1, maxLineLength: 9 }, strictly)
      await expect(range).rejects.toMatchObject(refused('read', path))
    }
    for (const path of ['inner', 'folder/inner'].map(folder.at)) {
      await expect(store.listDir(path, strictly)).rejects.toMatchObject(refused('list', path))
    }
  })
})

it('reads back what it wrote', async () => {
  await store.writeFile(folder.at('new/file'), Buffer.from([0, 255]), options)
  expect([...(await store.readFile(folder.at('new/file'), options))]).toEqual([0, 255])
})
