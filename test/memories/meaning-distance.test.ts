import { expect, it } from 'vitest'
import { rankByMeaning } from '../../src/memories/meaning-distance.ts'
import type { Memory } from '../../src/memory/memories.ts'
import type { Embedder } from '../../src/memory/vector-store.ts'
import { createVectorStore } from '../../src/vectors/vector-store.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { folderWith } from '../support/folders/folder.ts'
import { countingIds } from '../support/messages/ids.ts'
import { vectorOf } from '../support/models/embedding-server.ts'
import { options } from './files.ts'

const meanings = [
  ['car', 'vehicle'],
  ['bread', 'loaf'],
]

const memory = (text: string, scope: Memory['scope'] = 'project'): Memory => ({ id: text, scope, text })

/** A ranking whose vectors are kept in a folder. `embedded` holds all texts that were embedded. */
async function openRanking() {
  const folder = await folderWith()
  const embedded: string[] = []
  const embedder: Embedder = {
    model: 'it/small',
    embed: async (texts) => {
      embedded.push(...texts)
      return texts.map((text) => Float32Array.from(vectorOf(text, meanings)))
    },
  }
  const rank = async (prompt: string, memories: readonly Memory[], project = '/a') => {
    const { pid } = process
    const parts = { folder, model: 'it/small', newId: countingIds(), clock: createHandClock(), pid }
    const vectors = createVectorStore({ ...parts, host: 'here' })
    const placeOf = (scope: Memory['scope']) => (scope === 'user' ? 'user' : project)
    try {
      const ranked = await rankByMeaning(memories, prompt, { embedder, vectors, placeOf, ...options })
      return ranked.map(({ text }) => text)
    } finally {
      await vectors.close()
    }
  }
  return { rank, embedded }
}

it('memories are ranked by meaning, and each text is embedded once', async () => {
  const { rank, embedded } = await openRanking()
  const memories = [memory('a loaf'), memory('a car'), memory('something else', 'user')]
  expect((await rank('which vehicle?', memories))[0]).toBe('a car')
  expect(embedded).toEqual(['which vehicle?', 'a loaf', 'a car', 'something else'])
  expect((await rank('buy bread', memories))[0]).toBe('a loaf')
  expect(embedded.slice(4)).toEqual(['buy bread'])
})

it('the vectors of texts that are gone are removed, those of other projects stay', async () => {
  const { rank, embedded } = await openRanking()
  await rank('car', [memory('a loaf'), memory('a car')])
  await rank('car', [memory('a loaf')], '/b')
  await rank('car', [memory('a car'), memory('a new car')])
  const known = embedded.length
  await rank('car', [memory('a loaf'), memory('a car')])
  expect(embedded.slice(known)).toEqual(['car', 'a loaf'])
  await rank('car', [memory('a loaf')], '/b')
  expect(embedded.slice(known + 2)).toEqual(['car'])
})
