import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { openVectors } from './folder.ts'

const { signal } = new AbortController()
const query = Float32Array.from([1, 0, 0])

async function openSome() {
  const folder = await folderWith()
  const state = join(folder, 'state', 'vectors')
  const journal = join(state, 'journal.jsonl')
  const find = () => openVectors(folder).search(query, 100, { signal })
  const put = (...ids: readonly string[]) =>
    openVectors(folder).upsertAll(
      ids.map((id, i) => ({ id, embedding: Float32Array.from([1, i, 0.5]), metadata: { of: id } })),
      { signal },
    )
  const rows = async () => (await readdir(state)).filter((name) => name.endsWith('.rows'))
  return { folder, state, journal, find, put, rows }
}

describe('a journal that was cut', () => {
  it('at any byte is read up to its last whole change, and continued there', async () => {
    const { journal, find, put } = await openSome()
    await put('a', 'b')
    const first = await stat(journal)
    await put('c')
    const whole = await readFile(journal)
    for (let size = whole.length - 1; size >= first.size; size--) {
      await truncate(journal, size)
      expect(await find()).toEqual(['a', 'b'])
      await put('d')
      expect(await find()).toEqual(['a', 'd', 'b'])
      await writeFile(journal, whole)
    }
    expect(await find()).toEqual(['a', 'c', 'b'])
  })

  it('in its first line begins anew', async () => {
    const { folder, journal, find, put } = await openSome()
    await put('a')
    const before = await openVectors(folder).generation({ signal })
    for (const size of [0, 1, 40]) {
      await truncate(journal, size)
      expect(await find()).toEqual([])
      expect(await openVectors(folder).generation({ signal })).toBe('')
      await put('b')
      expect(await find()).toEqual(['b'])
      expect(await openVectors(folder).generation({ signal })).not.toBe(before)
    }
  })
})

describe('a store that was damaged', () => {
  it.each([
    ['{"put":{"row":7,"entries":[["x",{}]]}}'],
    ['{"put":{"row":1,"entries":[["x",{"of":1}]]}}'],
    ['{"remove":{"ids":[1]}}'],
    ['nonsense'],
  ])('in its journal counts as empty, and begins anew: %s', async (line) => {
    const { journal, find, put, rows } = await openSome()
    await put('a')
    await writeFile(journal, `${await readFile(journal, 'utf8')}${line}\n`)
    expect(await find()).toEqual([])
    await put('b')
    expect(await find()).toEqual(['b'])
    expect(await rows()).toHaveLength(1)
  })

  it.each(['cut', 'gone'])('in its rows counts as empty, and begins anew: %s', async (how) => {
    const { folder, state, find, put, rows } = await openSome()
    await put('a', 'b')
    const path = join(state, (await rows())[0] ?? '')
    await (how === 'cut' ? truncate(path, 13) : rm(path))
    expect(await find()).toEqual([])
    const store = openVectors(folder)
    expect(await store.generation({ signal })).toBe('')
    await store.remove(['a'], { signal })
    await put('c')
    expect(await find()).toEqual(['c'])
    expect(await rows()).toHaveLength(1)
  })

  it('by the failure of a disk says so', async () => {
    const { state, find, put } = await openSome()
    await put('a')
    await rm(state, { recursive: true })
    await writeFile(state, '')
    await expect(find()).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining(state) })
    await expect(put('a')).rejects.toMatchObject({ code: 'config', message: expect.stringContaining(state) })
  })
})

describe('a vector that was removed or replaced', () => {
  it('leaves nothing of itself in the rows', async () => {
    const { folder, state, put, rows } = await openSome()
    await put('a', 'b', 'c')
    const store = openVectors(folder)
    await store.remove(['b'], { signal })
    await store.upsert('c', Float32Array.from([0, 0, 2]), {}, { signal })
    const bytes = await readFile(join(state, (await rows())[0] ?? ''))
    const values = new Float32Array(new Uint8Array(bytes).buffer)
    expect(Array.from(values.subarray(3))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  it('makes the files smaller in time, which readers do not notice', async () => {
    const { folder, state, journal, rows } = await openSome()
    const reader = openVectors(folder)
    const writer = openVectors(folder)
    const ids = Array.from({ length: 1_300 }, (_, i) => `v${i}`)
    const turned = (i: number) => Float32Array.from([Math.cos(i / 500), Math.sin(i / 500)])
    const entries = ids.map((id, i) => ({ id, embedding: turned(i), metadata: { id } }))
    await writer.upsertAll(entries, { signal })
    const near = turned(1_250)
    expect(await reader.search(near, 1, { signal })).toEqual(['v1250'])
    const before = await stat(journal)
    const generation = await reader.generation({ signal })
    await writer.remove(ids.slice(0, 1_200), { signal })
    expect((await stat(journal)).size).toBeLessThan(before.size / 5)
    expect((await stat(join(state, (await rows())[0] ?? ''))).size).toBe(100 * 2 * 4)
    const found = await reader.searchScored(near, 1, { signal })
    expect(found).toEqual([{ id: 'v1250', score: expect.closeTo(1), metadata: { id: 'v1250' } }])
    expect(await reader.search(near, 9_999, { signal })).toHaveLength(100)
    expect(await reader.generation({ signal })).toBe(generation)
    await reader.upsert('v0', turned(1_250), {}, { signal })
    expect(await writer.search(near, 2, { signal })).toEqual(['v0', 'v1250'])
  })
})
