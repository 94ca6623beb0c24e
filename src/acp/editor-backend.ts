import type { LocalConversation } from '../conversation.ts'
import type { ThinkingControl } from '../frontend/conversation-view.ts'
import type { OfferedModel } from '../frontend/offered-model.ts'
import type { OwnPrompt } from '../frontend/own-prompt.ts'
import type { SessionId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import type { OpenBuffers } from '../machine/open-buffers.ts'
import type { UserMessage } from '../message.ts'
import type { SessionSummary } from '../session.ts'
import type { ToolFacts } from '../tool.ts'

/** A conversation of an editor. */
export interface EditorConversation extends LocalConversation {
  /** The title of its session. Absent before the first message. */
  title(): string | undefined
  readonly thinking: ThinkingControl
  readonly warnings: readonly string[]
  /** Composes a message of what the user wrote, as the program does. Throws `input` and `permission`. */
  compose(text: string): UserMessage
  /** The prompts that the user calls by a slash. */
  commands(): readonly OwnPrompt[]
}

export interface EditorRequest {
  /** The absolute folder to work in. */
  readonly cwd: string
  /** More absolute folders to work in. */
  readonly added: readonly string[]
  /** A new session, or the one of this whole id. */
  readonly session: { readonly type: 'new' } | { readonly type: 'resume'; readonly id: SessionId }
  /** The MCP servers that the editor brings, by name, as settings hold them. */
  readonly servers: Readonly<Record<string, JsonObject>>
  /** The files that are open in the editor. */
  readonly buffers: OpenBuffers
}

/** Opens and lists conversations for an editor. `cli` makes it. Methods throw `PipeError`. */
export interface EditorBackend {
  readonly version: string
  /** Returns what is known of a tool; `undefined` for one of an MCP server. */
  factsOf(name: string): ToolFacts | undefined
  /** Opens a conversation. Whoever opened it closes it. */
  open(request: EditorRequest, options: { readonly signal: AbortSignal }): Promise<EditorConversation>
  /** Lists the models that can be used now. Local servers have 1 s to answer. */
  models(cwd: string, options: { readonly signal: AbortSignal }): Promise<readonly OfferedModel[]>
  /** Lists the saved sessions, newest first: those of a folder, or all. */
  sessions(cwd: string | undefined, options: { readonly signal: AbortSignal }): AsyncIterable<SessionSummary>
  /** Deletes a session with its files. Does nothing if there is none. Throws `conflict` if it is in use. */
  remove(id: string, options: { readonly signal: AbortSignal }): Promise<void>
  /** Returns what helps if no model can be used; `undefined` if one can. */
  missingModel(options: { readonly signal: AbortSignal }): Promise<string | undefined>
  /** Deletes the stored key of the provider in use. Throws `not_found` if its key is not stored here, and says where it comes from. */
  signOut(options: { readonly signal: AbortSignal }): Promise<void>
}
