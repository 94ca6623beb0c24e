import {
  createWireEmbedder,
  type EmbedderOptions,
  type EmbeddingDialect,
} from '../http/dialect/wire-embedder.ts'
import type { ServerAccess } from '../machine/model-server.ts'
import type { Embedder } from '../memory/vector-store.ts'
import { count, objects } from '../wire/json-fields.ts'

/** Creates an embedder for OpenAI's embeddings, which many servers offer. */
export function createOpenaiEmbedder(access: ServerAccess, options: EmbedderOptions): Embedder {
  return createWireEmbedder(access, options, openai)
}

const openai: EmbeddingDialect = {
  path: '/embeddings',
  vectors: ({ data }) =>
    objects(data)
      .map(({ index, embedding = null }, position) => ({ at: count(index) ?? position, embedding }))
      .sort((a, b) => a.at - b.at)
      .map(({ embedding }) => embedding),
}
