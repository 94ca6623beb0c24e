import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openVectors } from './folder.ts'

const { signal } = new AbortController()
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipe-vectors-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** A vector that no other seed gives. */
const vector = (length: number, seed: number) =>
  Float32Array.from({ length }, (_, i) => Math.sin(1 + i * (seed + 1) + seed * seed))

const product = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

const cosine = (a: Float32Array, b: Float32Array) => product(a, b) / Math.sqrt(product(a, a) * product(b, b))

it.each([1, 2, 15, 16, 17, 31, 100, 384])('are the cosines of vectors of %i numbers', async (length) => {
  const store = openVectors(folder)
  const vectors = Array.from({ length: 50 }, (_, seed) => vector(length, seed))
  // In two parts, so that the memory grows.
  for (const [from, to] of [
    [0, 3],
    [3, 50],
  ] as const) {
    const entries = vectors
      .slice(from, to)
      .map((embedding, i) => ({ id: String(from + i), embedding, metadata: {} }))
    await store.upsertAll(entries, { signal })
    const query = vector(length, 99)
    const found = await store.searchScored(query, 100, { signal })
    expect(found).toHaveLength(to)
    for (const { id, score } of found)
      expect(score).toBeCloseTo(cosine(query, vectors[Number(id)] ?? query), 5)
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a))
  }
})
