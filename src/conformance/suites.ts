export { type ExecutorCall, type ExecutorSubject, executorConformance } from './executor.ts'
export {
  type ProviderSubject,
  providerConformance,
  type ReplyBlock,
  type ScriptedReply,
} from './provider.ts'
export { type SessionStoreSuiteOptions, type StoreSubject, storeConformance } from './session-store.ts'
export type { ConformanceCase } from './suite.ts'
export { type VectorStoreSubject, vectorStoreConformance } from './vector-store.ts'
