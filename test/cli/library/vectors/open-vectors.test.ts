import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { conversationOpener } from '../../../../src/cli/library/conversation-opener.ts'
import { defineProvider } from '../../../../src/cli/library/define-provider.ts'
import { openEmbedder } from '../../../../src/cli/library/vectors/open-embedder.ts'
import { openRecall } from '../../../../src/cli/library/vectors/open-library-recall.ts'
import { openVectorStore } from '../../../../src/cli/library/vectors/open-vectors.ts'
import { embedderConformance } from '../../../../src/conformance/embedding-model.ts'
import type { Embedder } from '../../../../src/memory/vector-store.ts'
import { conforms } from '../../../support/conforms.ts'
import { startVectorServer } from '../../../support/databases/pglite.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { openEmbeddingServer } from '../../../support/models/embedding-server.ts'
import { quickIt as it, slowDescribe, slowIt } from '../../../support/thorough.ts'
import { thrown } from '../../../support/thrown.ts'

const { signal } = new AbortController()
const model = 'own/counts'
const vector = (...values: readonly number[]) => Float32Array.from(values)

/** Counts words about cars and about trees. */
const counting: Embedder = {
  model,
  embed: async (texts) =>
    texts.map((text) =>
      vector(text.match(/car|automobile/g)?.length ?? 0, text.match(/tree/g)?.length ?? 0, 0.1),
    ),
}

it('keeps vectors in files, for whoever opens them next', async () => {
  const file = join(await folderWith(), 'vectors')
  const store = await openVectorStore({ model, file })
  await store.upsert('near', vector(1, 0.1), { of: 'a' }, { signal })
  await store.upsert('far', vector(0, 1), { of: 'b' }, { signal })
  await store.close()
  const again = await openVectorStore({ model, file })
  onTestFinished(() => again.close())
  expect(await again.search(vector(1, 0), 2, { signal })).toEqual(['near', 'far'])
})

slowDescribe('vectors in a database', () => {
  const server = startVectorServer()
  slowIt('are kept apart by their collection', async () => {
    const opened = async (collection: string) => {
      const store = await openVectorStore({ model, postgres: server.url, collection })
      onTestFinished(() => store.close())
      return store
    }
    const [one, two] = [await opened('one'), await opened('two')]
    await one.upsert('x', vector(1, 0), {}, { signal })
    expect(await two.search(vector(1, 0), 2, { signal })).toEqual([])
    expect(await one.search(vector(1, 0), 2, { signal })).toEqual(['x'])
  })
})

it('finds sessions by what they mean, with a model and vectors of the caller', async () => {
  const env = { PATH: process.env['PATH'], PIPE_HOME: await folderWith() }
  const open = conversationOpener(process.cwd())
  const provider = defineProvider(
    'own',
    () =>
      async function* () {
        yield { type: 'text_delta', id: 't', delta: 'I see.' }
        return { stopReason: 'end_turn' }
      },
  )
  for (const said of ['My automobile is red.', 'The tree is green.']) {
    const conversation = await open({ cwd: await folderWith(), env, model: { provider, model: '' } })
    await conversation.run(said)
    await conversation.close()
  }
  const folder = await folderWith()
  const vectors = await openVectorStore({ model, file: join(folder, 'vectors') })
  onTestFinished(() => vectors.close())
  const recall = await openRecall({
    env,
    own: { embedder: counting, vectors, folder: join(folder, 'index') },
  })
  const found = await recall.search({ words: 'car', limit: 5 }, { signal })
  expect([found.ranking, found.sessions[0]?.excerpt?.text]).toEqual([
    'words_and_meaning',
    expect.stringContaining('automobile'),
  ])
  await recall.close()
  expect(await vectors.search(vector(0, 1, 0), 1, { signal })).toHaveLength(1)
  const words = await openRecall({ env })
  expect((await words.search({ words: 'tree', limit: 5 }, { signal })).total).toBe(1)
  await words.close()
})

conforms(
  'a model of a server keeps the promises of embedders: it',
  embedderConformance(async () => {
    const { url } = await openEmbeddingServer([['tree']])
    return { embedder: await openEmbedder({ dialect: 'ollama', baseUrl: url, model: 'small' }) }
  }),
)

it('makes vectors of texts by a server, without secrets', async () => {
  const server = await openEmbeddingServer([['car', 'automobile']])
  const embedder = await openEmbedder({
    dialect: 'ollama',
    baseUrl: server.url,
    model: 'small',
    secrets: ['open sesame'],
  })
  expect(await embedder.embed(['my car', 'open sesame'], { signal })).toEqual([vector(1, 0), vector(0, 1)])
  expect([embedder.model, server.texts()]).toEqual(['ollama/small', ['my car', '[redacted]']])
})

it('refuses options that do not fit', async () => {
  const wrong = [{ model }, { model, file: 'here' }, { model, file: '/tmp/x', postgres: 'postgres://here' }]
  for (const options of wrong)
    expect(await thrown(() => openVectorStore(options))).toMatchObject({ code: 'usage' })
  const vectors = await openVectorStore({ model, file: '/tmp/none' })
  const own = { embedder: counting, vectors, folder: 'here' }
  expect(await thrown(() => openRecall({ own, env: { PIPE_HOME: '/tmp/none' } }))).toMatchObject({
    code: 'usage',
  })
})
