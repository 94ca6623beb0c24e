import { strict as assert } from 'node:assert'
import type { Embedder } from '../memory/vector-store.ts'
import { type ConformanceCase, throwsCode } from './suite.ts'

/** One embedder for one case. */
export interface EmbedderSubject {
  readonly embedder: Embedder
  close?(): Promise<void>
}

const { signal } = new AbortController()

/** The promises of every embedder. */
export function embedderConformance(create: () => Promise<EmbedderSubject>): readonly ConformanceCase[] {
  const about = (name: string, check: (embedder: Embedder) => Promise<void>) => ({
    name,
    run: async () => {
      const { embedder, close } = await create()
      try {
        await check(embedder)
      } finally {
        await close?.()
      }
    },
  })
  return [
    about('names its model with its provider', async ({ model }) => {
      assert.match(model, /^[^/\s]+\/\S+$/)
    }),
    about('returns a vector for each text, in order, all as long', async (embedder) => {
      const texts = ['a tree', 'Löwe 🦁', 'a tree']
      const vectors = await embedder.embed(texts, { signal })
      assert.equal(vectors.length, 3)
      assert.equal(new Set(vectors.map(({ length }) => length)).size, 1)
      assert.deepEqual(vectors[0], vectors[2])
      assert.deepEqual((await embedder.embed(['Löwe 🦁'], { signal }))[0], vectors[1])
    }),
    about('makes vectors of finite numbers, not all of them zero', async (embedder) => {
      for (const vector of await embedder.embed(['a', 'b\n'], { signal })) {
        assert.ok(vector.every(Number.isFinite))
        assert.ok(vector.some((value) => value !== 0))
      }
    }),
    about('returns nothing for no texts', async (embedder) => {
      assert.deepEqual(await embedder.embed([], { signal }), [])
    }),
    about('throws aborted if the signal has already fired', async (embedder) => {
      await throwsCode('aborted', () => embedder.embed(['a'], { signal: AbortSignal.abort() }))
    }),
  ]
}
