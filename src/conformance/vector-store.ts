import { strict as assert } from 'node:assert'
import type { ScoredVector, VectorEntry, VectorMetadata, VectorStore } from '../memory/vector-store.ts'
import { type ConformanceCase, throwsCode } from './suite.ts'

/** One empty store for one case. */
export interface VectorStoreSubject {
  readonly store: VectorStore
  /** Opens the same vectors as another process would, by default for the same model. The case closes them. */
  reopen(model?: string): VectorStore | Promise<VectorStore>
  close?(): Promise<void>
}

const { signal } = new AbortController()

/** The promises of every vector store. `create` returns an empty one. */
export function vectorStoreConformance(
  create: () => Promise<VectorStoreSubject>,
): readonly ConformanceCase[] {
  const about = (name: string, check: (subject: VectorStoreSubject) => Promise<void>) => ({
    name,
    run: async () => {
      const { store, reopen, close } = await create()
      const opened = [store]
      const tracked = async (model?: string) => {
        const other = await reopen(model)
        opened.push(other)
        return other
      }
      try {
        await check({ store, reopen: tracked })
      } finally {
        for (const one of opened) await one.close()
        await close?.()
      }
    },
  })
  return [...searching(about), ...changing(about), ...together(about)]
}

type About = (name: string, check: (subject: VectorStoreSubject) => Promise<void>) => ConformanceCase

function searching(about: About): readonly ConformanceCase[] {
  return [
    about('finds nothing before anything is stored', async ({ store }) => {
      assert.deepEqual(await store.search(vector(1, 0), 3, { signal }), [])
      assert.equal(await store.generation({ signal }), '')
      await store.remove(['a'], { signal })
      await store.removeWhere({ kind: 'a' }, { signal })
      assert.equal(await store.generation({ signal }), '')
    }),
    about('finds the nearest vectors first, by their direction alone', async ({ store }) => {
      await store.upsertAll([entry('far', -1, 0), entry('near', 300, 30), entry('side', 0, 0.002)], {
        signal,
      })
      assert.deepEqual(await store.search(vector(2, 1), 3, { signal }), ['near', 'side', 'far'])
      assert.deepEqual(await store.search(vector(2, 1), 1, { signal }), ['near'])
      assert.deepEqual(await store.search(vector(2, 1), 0, { signal }), [])
    }),
    about('scores by the cosine of the angle, and returns the metadata', async ({ store }) => {
      await store.upsert('a', vector(3, 4), { kind: 'ä"\n' }, { signal })
      await store.upsert('b', vector(-3, 0), {}, { signal })
      assert.deepEqual(rounded(await store.searchScored(vector(7, 0), 2, { signal })), [
        { id: 'a', score: 0.6, metadata: { kind: 'ä"\n' } },
        { id: 'b', score: -1, metadata: {} },
      ])
    }),
    about('returns the smaller id first among equals', async ({ store }) => {
      await store.upsertAll(
        ['b', 'B', 'd', 'a', 'c'].map((id) => entry(id, 1, 1)),
        { signal },
      )
      assert.deepEqual(await store.search(vector(1, 0), 4, { signal }), ['B', 'a', 'b', 'c'])
    }),
    about('finds only vectors whose metadata has all values of the filter', async ({ store }) => {
      await store.upsertAll(
        [
          { ...entry('a', 1, 0), metadata: { kind: 'note', of: 'one' } },
          { ...entry('b', 1, 0.1), metadata: { kind: 'note', of: 'two', more: 'x' } },
          { ...entry('c', 0, 1), metadata: { kind: 'note', of: 'two' } },
          { ...entry('d', 1, 0), metadata: { of: 'two' } },
        ],
        { signal },
      )
      const find = (filter: VectorMetadata) => store.search(vector(1, 0), 3, { signal, filter })
      assert.deepEqual(await find({ kind: 'note', of: 'two' }), ['b', 'c'])
      assert.deepEqual(await find({ more: 'x' }), ['b'])
      assert.deepEqual(await find({ more: 'y' }), [])
      assert.deepEqual(await find({ toString: 'x' }), [])
      assert.deepEqual(await find({}), ['a', 'd', 'b'])
    }),
    about('finds the same as a comparison with every vector does', async ({ store, reopen }) => {
      const entries = Array.from({ length: 203 }, (_, i) => ({
        id: `v${i}`,
        embedding: Float32Array.from({ length: 11 }, (_, j) => Math.sin(i * 13.7 + j * 7.3)),
        metadata: { rest: String(i % 3) },
      }))
      await store.upsertAll(entries, { signal })
      const query = Float32Array.from({ length: 11 }, (_, j) => Math.cos(j * 3.1))
      const some = entries.filter(({ metadata }) => metadata.rest === '1')
      const other = await reopen()
      assert.deepEqual(await other.search(query, 20, { signal }), exact(entries, query).slice(0, 20))
      const filtered = await other.search(query, 20, { signal, filter: { rest: '1' } })
      assert.deepEqual(filtered, exact(some, query).slice(0, 20))
    }),
  ]
}

function changing(about: About): readonly ConformanceCase[] {
  return [
    about('replaces a vector with its metadata by its id', async ({ store }) => {
      await store.upsert('a', vector(1, 0), { kind: 'old', gone: 'x' }, { signal })
      await store.upsert('b', vector(4, 3), {}, { signal })
      await store.upsertAll([entry('a', 5, 5), { ...entry('a', 0, 1), metadata: { kind: 'new' } }], {
        signal,
      })
      assert.deepEqual(rounded(await store.searchScored(vector(0, 1), 5, { signal })), [
        { id: 'a', score: 1, metadata: { kind: 'new' } },
        { id: 'b', score: 0.6, metadata: {} },
      ])
    }),
    about('removes vectors by their ids or their metadata', async ({ store, reopen }) => {
      const kinds = { a: 'x', b: 'x', c: 'y', d: 'y', e: 'y' }
      await store.upsertAll(
        Object.entries(kinds).map(([id, kind]) => ({ ...entry(id, 1, 0), metadata: { kind } })),
        { signal },
      )
      await store.remove(['d', 'nothing', 'd'], { signal })
      await store.remove([], { signal })
      await store.removeWhere({ kind: 'x' }, { signal })
      await store.removeWhere({ kind: 'z' }, { signal })
      for (const one of [store, await reopen()])
        assert.deepEqual(await one.search(vector(1, 0), 9, { signal }), ['c', 'e'])
      await store.upsert('a', vector(1, 1), {}, { signal })
      assert.deepEqual(await store.search(vector(1, 0), 9, { signal }), ['c', 'e', 'a'])
    }),
    about('refuses vectors without a direction, and stores none of their batch', async ({ store }) => {
      const bad = [vector(0, 0), vector(1, Number.NaN), vector(Number.POSITIVE_INFINITY, 0), vector()]
      for (const embedding of bad) {
        const batch = [entry('a', 1, 0), { id: 'b', embedding, metadata: {} }]
        await throwsCode('invalid', () => store.upsertAll(batch, { signal }))
        await throwsCode('invalid', () => store.search(embedding, 1, { signal }))
      }
      assert.deepEqual(await store.search(vector(1, 0), 9, { signal }), [])
    }),
    about('refuses another number of dimensions until it is emptied', async ({ store, reopen }) => {
      await throwsCode('invalid', () => store.upsertAll([entry('a', 1, 0), entry('b', 1, 0, 0)], { signal }))
      await store.upsert('a', vector(1, 0), {}, { signal })
      const other = await reopen()
      for (const wrong of [vector(1), vector(1, 0, 0)]) {
        const refusals = [
          await throwsCode('invalid', () => other.upsert('b', wrong, {}, { signal })),
          await throwsCode('invalid', () => other.search(wrong, 1, { signal })),
        ]
        for (const error of refusals) assert.match(String(error), /dimensions/)
      }
      await other.removeWhere({}, { signal })
      assert.deepEqual(await store.search(vector(1, 0, 0), 1, { signal }), [])
      await store.upsert('b', vector(1, 0, 0), {}, { signal })
      assert.deepEqual(await other.search(vector(1, 0, 0), 9, { signal }), ['b'])
    }),
    about('names another generation only once it begins anew', async ({ store, reopen }) => {
      await store.upsert('a', vector(1, 0), {}, { signal })
      const first = await store.generation({ signal })
      assert.notEqual(first, '')
      await store.upsert('b', vector(1, 0), {}, { signal })
      await store.remove(['a', 'b'], { signal })
      assert.equal(await (await reopen()).generation({ signal }), first)
      await store.removeWhere({}, { signal })
      assert.equal(await store.generation({ signal }), '')
      await store.upsert('c', vector(1, 0), {}, { signal })
      const second = await (await reopen()).generation({ signal })
      assert.equal([first, ''].includes(second), false)
    }),
    about('begins anew for another model', async ({ store, reopen }) => {
      await store.upsert('a', vector(1, 0), {}, { signal })
      const first = await store.generation({ signal })
      const other = await reopen('other/model')
      assert.deepEqual(await other.search(vector(1, 0, 0), 9, { signal }), [])
      assert.equal(await other.generation({ signal }), '')
      await other.upsert('b', vector(1, 0, 0), {}, { signal })
      assert.deepEqual(await (await reopen('other/model')).search(vector(1, 0, 0), 9, { signal }), ['b'])
      assert.notEqual(await other.generation({ signal }), first)
      assert.deepEqual(await store.search(vector(1, 0), 9, { signal }), [])
    }),
  ]
}

function together(about: About): readonly ConformanceCase[] {
  return [
    about('shows each what others have changed', async ({ store, reopen }) => {
      const other = await reopen()
      for (let i = 0; i < 20; i++) {
        const [writer, reader] = i % 2 === 0 ? [store, other] : [other, store]
        await writer.upsert(`v${i}`, vector(1, i), {}, { signal })
        if (i % 5 === 4) await reader.remove([`v${i - 1}`], { signal })
        assert.equal((await reader.search(vector(0, 1), 1, { signal }))[0], `v${i}`)
      }
      const left = Array.from({ length: 20 }, (_, i) => `v${i}`).filter((_, i) => i % 5 !== 3)
      const found = await (await reopen()).search(vector(0, 1), 99, { signal })
      assert.deepEqual(new Set(found), new Set(left))
    }),
    about('loses nothing to writers at the same time', async ({ store, reopen }) => {
      const writers = [store, await reopen(), await reopen()]
      const ids = await Promise.all(
        writers.map(async (writer, w) => {
          const own = Array.from({ length: 8 }, (_, i) => `w${w}v${i}`)
          for (const id of own) await writer.upsert(id, vector(1, w), { writer: String(w) }, { signal })
          return own
        }),
      )
      const found = await store.search(vector(1, 0), 99, { signal })
      assert.deepEqual(found.toSorted(), ids.flat().toSorted())
    }),
    about('changes nothing for a signal that has fired', async ({ store }) => {
      const fired = { signal: AbortSignal.abort() }
      await store.upsert('a', vector(1, 0), {}, { signal })
      await throwsCode('aborted', () => store.upsert('b', vector(1, 0), {}, fired))
      await throwsCode('aborted', () => store.remove(['a'], fired))
      await throwsCode('aborted', () => store.removeWhere({}, fired))
      await throwsCode('aborted', () => store.search(vector(1, 0), 1, fired))
      await throwsCode('aborted', () => store.generation(fired))
      assert.deepEqual(await store.search(vector(1, 0), 9, { signal }), ['a'])
    }),
    about('closes any number of times', async ({ store }) => {
      await store.upsert('a', vector(1, 0), {}, { signal })
      await store.close()
      await store.close()
    }),
  ]
}

function vector(...values: readonly number[]): Float32Array {
  return Float32Array.from(values)
}

function entry(id: string, ...values: readonly number[]): VectorEntry {
  return { id, embedding: vector(...values), metadata: {} }
}

function rounded(found: readonly ScoredVector[]): readonly ScoredVector[] {
  return found.map((one) => ({ ...one, score: Math.round(one.score * 1e6) / 1e6 }))
}

function exact(entries: readonly VectorEntry[], query: Float32Array): readonly string[] {
  const cosine = ({ embedding }: VectorEntry) =>
    dot(embedding, query) / Math.sqrt(dot(embedding, embedding) * dot(query, query))
  return entries.toSorted((a, b) => cosine(b) - cosine(a)).map(({ id }) => id)
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
}
