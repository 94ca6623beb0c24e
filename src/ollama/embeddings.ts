import {
  createWireEmbedder,
  type EmbedderOptions,
  type EmbeddingDialect,
} from '../http/dialect/wire-embedder.ts'
import type { ServerAccess } from '../machine/model-server.ts'
import type { Embedder } from '../memory/vector-store.ts'
import { list } from '../wire/json-fields.ts'

/** Creates an embedder for servers of Ollama's own API, which cut texts to the model's window. */
export function createOllamaEmbedder(access: ServerAccess, options: EmbedderOptions): Embedder {
  return createWireEmbedder(access, options, ollama)
}

const ollama: EmbeddingDialect = {
  path: '/api/embed',
  vectors: ({ embeddings }) => list(embeddings),
}
