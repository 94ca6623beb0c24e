export type {
  Recall,
  RecallExcerpt,
  RecalledSession,
  RecallLack,
  RecallOptions,
  RecallQuery,
  RecallRanking,
  RecallResult,
} from '../../../memory/recall.ts'
export type {
  Embedder,
  ScoredVector,
  VectorEntry,
  VectorMetadata,
  VectorSearchOptions,
  VectorStore,
} from '../../../memory/vector-store.ts'
export { requireDimensions, unitVector } from '../../../memory/vector-store.ts'
export type { EmbedderServer } from './open-embedder.ts'
export { openEmbedder } from './open-embedder.ts'
export type { OwnMeaning, RecallSetup } from './open-library-recall.ts'
export { openRecall } from './open-library-recall.ts'
export type { OpenVectorOptions } from './open-vectors.ts'
export { openVectorStore } from './open-vectors.ts'
