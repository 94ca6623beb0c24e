import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PipeConversation } from './cli/library/conversation-opener.ts'
import type { StartedElf } from './cli/library/elf-starter.ts'
import type { ConversationOptions } from './cli/library/library-options.ts'
import type { UserMessage } from './message.ts'

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Opens a conversation with the program's own engine, tools, permissions, session and audit log. Reads the user's settings and keys as
 * the program does; the options override them. Throws `usage`, `config`, `auth`, `input`, `conflict`, `sandbox`.
 */
export async function openConversation(options: ConversationOptions = {}): Promise<PipeConversation> {
  // Loaded late, so that a program which only needs an id or a message loads no more than that.
  const { conversationOpener } = await import('./cli/library/conversation-opener.ts')
  return conversationOpener(packageFolder)(options)
}

/**
 * Starts an elf: an agent with an engine, history, model, session and audit log of its own, for one prompt. It runs as its events are pulled
 * or once it is awaited, and its end closes all it has open. Takes the options of `openConversation`; `signal` ends its work, too. Throws as
 * `openConversation`, and `input` for an empty prompt.
 */
export async function startElf(
  prompt: string | UserMessage,
  options: ConversationOptions = {},
): Promise<StartedElf> {
  const { elfStarter } = await import('./cli/library/elf-starter.ts')
  return elfStarter(packageFolder)(prompt, options)
}

export type { Actor, ActorId, Capability } from './actor.ts'
export { localUser } from './actor.ts'
export type { CanonicalFacts, CanonicalMessage, Role, SentinelError } from './canonical/canonical.ts'
export {
  contentLength,
  encodeCanonicalMessage,
  isEmptyMessage,
  sentinelError,
} from './canonical/canonical.ts'
export type { CanonicalOptions, CanonicalProvider } from './canonical/canonical-provider.ts'
export type { AnsweredTurn } from './cli/library/answered-turn.ts'
export type { PipeConversation, UndoOptions } from './cli/library/conversation-opener.ts'
export { defineProvider } from './cli/library/define-provider.ts'
export type { SessionHead, SessionRecords } from './cli/library/define-store.ts'
export { defineStore } from './cli/library/define-store.ts'
export type { StartedElf } from './cli/library/elf-starter.ts'
export {
  canonicalMessage,
  canonicalProvider,
  decodeCanonicalMessage,
  validateCanonicalMessage,
} from './cli/library/library-canonical.ts'
export {
  newAgentId,
  newInteractionId,
  newMessageId,
  newSessionId,
  newTaskId,
  newToolCallId,
} from './cli/library/library-ids.ts'
export type { ConversationOptions, Permissions } from './cli/library/library-options.ts'
export { linesIn } from './cli/library/line-range.ts'
export type { OpenProvider, ServerOptions } from './cli/library/open-provider.ts'
export { openProvider } from './cli/library/open-provider.ts'
export { openSessionStore } from './cli/library/open-store.ts'
export type {
  Answer,
  AnswerQuestion,
  Arrival,
  Conversation,
  ConversationSettings,
  Ending,
  GoToOptions,
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
export type { Elf, ElfResult } from './elf.ts'
export type {
  AgentState,
  Candidate,
  Command,
  Engine,
  Limits,
  ModelChoice,
  Turn,
} from './engine.ts'
export { validateTransition } from './engine.ts'
export type { ErrorCode, PipeErrorOptions } from './error.ts'
export { exitCodes, isPipeError, PipeError, throwIfAborted } from './error.ts'
export type { AgentEvent, AgentFact, StreamEvent } from './event.ts'
export type { ContextKind, ContextPart, ContextUse, ToolShare } from './history/context-use.ts'
export type { AgentId, InteractionId, MessageId, SessionId, TaskId } from './id.ts'
export {
  isAgentId,
  isInteractionId,
  isMessageId,
  isSessionId,
  isTaskId,
  readAgentId,
  readInteractionId,
  readMessageId,
  readSessionId,
  readTaskId,
} from './id.ts'
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
export type { ArtifactOptions, ArtifactStore, FileRange, LineRange } from './machine/artifact.ts'
export type { Dialect, Quirks } from './machine/model-server.ts'
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
export type {
  AdapterEvent,
  BlockMeta,
  CallComplete,
  Finish,
  Speaker,
  UsageUpdate,
} from './reply/accumulator.ts'
export { Accumulator } from './reply/accumulator.ts'
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
