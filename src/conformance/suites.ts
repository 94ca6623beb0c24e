export { type ArtifactStoreSubject, artifactStoreConformance } from './artifact-store.ts'
export { type AuditLogSubject, auditLogConformance } from './audit-log.ts'
export { type ConversationSubject, conversationConformance } from './conversation.ts'
export type { ConversationParts } from './conversation-script.ts'
export { type ElfOptions, type ElfSubject, elfConformance } from './elf.ts'
export { type EmbedderSubject, embedderConformance } from './embedding-model.ts'
export { type EventStoreSubject, type EventStoreSuiteOptions, eventStoreConformance } from './event-store.ts'
export { type ExecutorCall, type ExecutorSubject, executorConformance } from './executor.ts'
export {
  type ProviderSubject,
  providerConformance,
  type ReplyBlock,
  type ScriptedReply,
} from './provider.ts'
export { type SessionStoreSuiteOptions, type StoreSubject, storeConformance } from './session-store.ts'
export type { ConformanceCase } from './suite.ts'
export { type ClaimsSubject, claimsConformance } from './task-claims.ts'
export { type VectorStoreSubject, vectorStoreConformance } from './vector-store.ts'
export { type BundlesSubject, bundlesConformance } from './work-bundles.ts'
