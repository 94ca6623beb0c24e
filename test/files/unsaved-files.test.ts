import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withUnsaved } from '../../src/files/unsaved-files.ts'
import { createDiskStore } from '../../src/files/writing/disk-store.ts'
import type { OpenBuffers } from '../../src/machine/open-buffers.ts'
import { type Folder, temporaryFolder } from './folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

const options = { signal: new AbortController().signal }
const whole = { start: 1, end: 10, maxLineLength: 100 }

/** An editor that has one text for every file, and saves what it is told to write. */
function open(text: string, more: Partial<OpenBuffers> = {}) {
  const asked: string[] = []
  const disk = createDiskStore()
  const buffers: OpenBuffers = {
    read: async (path) => {
      asked.push(`read ${path}`)
      return text
    },
    write: async (path, content) => {
      asked.push(`write ${path}`)
      await writeFile(path, content)
    },
    ...more,
  }
  return { asked, disk, files: withUnsaved(disk, { buffers, folders: [folder.root] }) }
}

const textIn = async (bytes: Promise<Uint8Array>) => Buffer.from(await bytes).toString()

describe('a file that the editor has not saved', () => {
  it('is read as the editor has it, whole and by lines', async () => {
    const path = await folder.put('a.txt', 'old\n')
    const { files, disk } = open('new\nlines\n')
    expect(await textIn(files.readFile(path, options))).toBe('new\nlines\n')
    expect(await textIn(files.readFile(path, { ...options, maxBytes: 3 }))).toBe('new')
    expect(await files.readFileRange(path, { ...whole, start: 2 }, options)).toEqual({
      lines: ['lines'],
      more: false,
      total: 2,
    })
    expect(await files.getRevision(path, options)).not.toBe(await disk.getRevision(path, options))
  })

  it('keeps its BOM and its line ends, which editors hide', async () => {
    const path = await folder.put('a.txt', '\u{feff}old\r\nend\r\n')
    expect(await textIn(open('new\nend\n').files.readFile(path, options))).toBe('\u{feff}new\r\nend\r\n')
    const { files, disk } = open('old\nend\n')
    expect(await files.getRevision(path, options)).toBe(await disk.getRevision(path, options))
  })

  it('is written by the editor, which may format it', async () => {
    const path = await folder.put('a.txt', 'old')
    const { files, asked } = open('unsaved', {
      write: async (at, text) => {
        asked.push(`write ${at}`)
        await writeFile(at, text.toUpperCase())
      },
    })
    await files.writeFile(path, Buffer.from('mine'), options)
    expect(asked.at(-1)).toBe(`write ${path}`)
    expect(await readFile(path, 'utf8')).toBe('MINE')
  })

  it.each([
    ['does not save it', async () => undefined],
    [
      'refuses it',
      async () => {
        throw new Error('read only')
      },
    ],
  ])('is written to the disk by an editor that %s', async (_, write) => {
    const path = await folder.put('a.txt', 'old')
    await open('unsaved', { write }).files.writeFile(path, Buffer.from('mine'), options)
    expect(await readFile(path, 'utf8')).toBe('mine')
  })
})

describe('the disk', () => {
  it('is what counts if the editor fails, tells nothing, or has the same', async () => {
    const path = await folder.put('a.txt', 'same\n')
    for (const read of [
      async () => 'same\n',
      async () => undefined,
      async () => {
        throw new Error('no such buffer')
      },
    ]) {
      const { files, asked } = open('', { read })
      expect(await textIn(files.readFile(path, options))).toBe('same\n')
      await files.writeFile(path, Buffer.from('same\n'), options)
      expect(asked).toEqual([])
    }
  })

  it('alone is asked about files that are no text, elsewhere, new or gone', async () => {
    const elsewhere = await temporaryFolder()
    const binary = await folder.put('a.bin', Buffer.from([0, 255, 1]))
    const other = await elsewhere.put('b.txt', 'theirs')
    const { files, asked } = open('mine')
    expect(await files.readFile(binary, options)).toEqual(Buffer.from([0, 255, 1]))
    expect(await textIn(files.readFile(other, options))).toBe('theirs')
    await expect(files.readFile(folder.at('gone'), options)).rejects.toMatchObject({ code: 'not_found' })
    await files.writeFile(folder.at('sub/new.txt'), Buffer.from('text'), options)
    expect(await readFile(folder.at('sub/new.txt'), 'utf8')).toBe('text')
    expect(asked).toEqual([])
    await elsewhere.remove()
  })

  it('refuses a file in whose place a link was put, and the editor is not asked to write it', async () => {
    const target = await folder.put('target', 'precious')
    const path = await folder.put('a.txt', 'old')
    await rm(path)
    await symlink(target, path)
    const { files, asked } = open('unsaved')
    await expect(files.writeFile(path, Buffer.from('mine'), options)).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await readFile(target, 'utf8')).toBe('precious')
    expect(asked.filter((one) => one.startsWith('write'))).toEqual([])
  })
})
