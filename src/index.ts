import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conversationOpener } from './cli/library/conversation-opener.ts'

/**
 * Opens a conversation with the program's own engine, tools, permissions, session and audit log. Reads the user's settings and keys as
 * the program does; the options override them. Throws `usage`, `config`, `auth`, `input`, `conflict`, `sandbox`.
 */
export const openConversation = conversationOpener(dirname(dirname(fileURLToPath(import.meta.url))))

export type { Actor, Capability } from './actor.ts'
export { localUser } from './actor.ts'
export type { CanonicalFacts, CanonicalMessage, Role, SentinelError } from './canonical/canonical.ts'
export {
  contentLength,
  encodeCanonicalMessage,
  isEmptyMessage,
  sentinelError,
} from './canonical/canonical.ts'
export type { CanonicalOptions, CanonicalProvider } from './canonical/canonical-provider.ts'
export type { PipeConversation, UndoOptions } from './cli/library/conversation-opener.ts'
export { defineProvider } from './cli/library/define-provider.ts'
export type { SessionHead, SessionRecords } from './cli/library/define-store.ts'
export { defineStore } from './cli/library/define-store.ts'
export {
  canonicalMessage,
  canonicalProvider,
  validateCanonicalMessage,
} from './cli/library/library-canonical.ts'
export type { ConversationOptions, Permissions } from './cli/library/library-options.ts'
export type { OpenProvider, ServerOptions } from './cli/library/open-provider.ts'
export { openProvider } from './cli/library/open-provider.ts'
export { openSessionStore } from './cli/library/open-store.ts'
export type {
  Answer,
  AnswerQuestion,
  Conversation,
  ConversationSettings,
  Ending,
  LocalConversation,
  Position,
  QueuedMessage,
  RunningCall,
  RunOptions,
  SentAs,
  Snapshot,
  Watched,
  WatchedFact,
  WatchOptions,
  When,
} from './conversation.ts'
export type {
  AgentState,
  Candidate,
  Command,
  Limits,
  ModelChoice,
  Turn,
} from './engine.ts'
export { validateTransition } from './engine.ts'
export type { ErrorCode, PipeErrorOptions } from './error.ts'
export { exitCodes, isPipeError, PipeError, throwIfAborted } from './error.ts'
export type { AgentEvent, AgentFact, StreamEvent } from './event.ts'
export type { ContextKind, ContextPart, ContextUse, ToolShare } from './history/context-use.ts'
export type { AgentId, InteractionId, MessageId, SessionId } from './id.ts'
export { isSessionId, readSessionId } from './id.ts'
export type {
  Danger,
  Interaction,
  InteractionOption,
  InteractionResponse,
  WithheldOption,
} from './interaction.ts'
export { validateResponse } from './interaction.ts'
export { summaryOf } from './json/sessions/session-summary.ts'
export type { JsonObject, JsonValue } from './json-value.ts'
export type { Dialect, Quirks } from './machine/model-server.ts'
export type {
  ScoredVector,
  VectorEntry,
  VectorMetadata,
  VectorSearchOptions,
  VectorStore,
} from './memory/vector-store.ts'
export type {
  AssistantMessage,
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  Message,
  ProviderData,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from './message.ts'
export { textContent, toolCalls, validateMessage } from './message.ts'
export type { ModelInfo } from './model.ts'
export type { PermissionMode } from './permission.ts'
export type { Provider, Request, Stream, ThinkingLevel, ToolChoice } from './provider.ts'
export { complete, validateRequest } from './provider.ts'
export type { AdapterEvent, BlockMeta, CallComplete, Finish, UsageUpdate } from './reply/accumulator.ts'
export type {
  Damage,
  LoadedSession,
  NewSession,
  ReadingOptions,
  Session,
  SessionChoice,
  SessionLog,
  SessionState,
  SessionStore,
  SessionSummary,
} from './session.ts'
export type { Adapter } from './stream.ts'
export type {
  Tool,
  ToolContext,
  ToolExecutor,
  ToolFacts,
  ToolKind,
  ToolOutput,
  ToolPath,
  ToolResult,
  ToolRun,
} from './tool.ts'
export { combine, errorResult, textResult } from './tool.ts'
export type { StopReason, Usage } from './usage.ts'
