import type { AnswerQuestion, LocalConversation } from '../conversation.ts'
import type { Candidate, ModelChoice } from '../engine.ts'
import type { OfferedModel } from '../frontend/offered-model.ts'
import type { TaskActions } from '../frontend/task-actions.ts'
import type { MessageQueueStore } from '../history/message-queue.ts'
import type { SessionId } from '../id.ts'
import type { Message, UserMessage } from '../message.ts'
import type { PermissionMode } from '../permission.ts'
import type { ThinkingLevel } from '../provider.ts'
import type { LastTurn, SessionChoice, SessionStore, SessionSummary } from '../session.ts'

/** A folder that the server works in. */
export interface ServedProject {
  /** The folder's own name; `NAME-2` for the second one of this name. */
  readonly name: string
  /** Real path. */
  readonly cwd: string
}

/** An open conversation of the server. */
export interface ServedConversation extends LocalConversation {
  /** The name of the agent that it works as, if any. */
  readonly agent: string | undefined
  readonly warnings: readonly string[]
  /**
   * Reads what the message of a text will hold: what MCP servers have for it, and the sessions that it mentions. Call it before `compose`. Throws
   * `input`, `tool`, `aborted`.
   */
  prepare(text: string, signal: AbortSignal): Promise<unknown>
  /** Throws `input` for a text that calls a command by a name that there is not, with the nearest one. */
  requireKnownCommand(text: string): void
  /**
   * As the program composes a message: the first one tells about the folder. `files` are attached. Throws `input`, `permission`, and `invalid`
   * for a file that is too large.
   */
  compose(text: string, files?: readonly SentFile[]): UserMessage
  /**
   * Returns a unified diff of the files that the last turn changed, or all turns. `undefined` if it is not known, such as while the turn runs.
   * Throws `aborted`.
   */
  changes(options: { readonly isAll: boolean; readonly signal: AbortSignal }): Promise<string | undefined>
  /** Saves how a turn ended, for a later run of the server. Throws the session's errors. */
  saveEnd(turn: LastTurn): Promise<void>
}

/** A file that a client sends with a message. */
export interface SentFile {
  /** As the user knows it. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** A conversation to open. */
export interface OpenRequest {
  readonly project: ServedProject
  /** `named`: begins the session if there is none. */
  readonly session: Extract<SessionChoice, { readonly type: 'new' | 'named' | 'resume' }>
  /** `provider/model[:level]`, a route, or part of an id. Default: as the program chooses. */
  readonly model?: string | undefined
  readonly mode?: PermissionMode | undefined
  readonly agent?: string | undefined
  /** Follows the system prompt. */
  readonly moreSystemPrompt?: string | undefined
  /** The messages that a new session begins with, as a client sent them. Default: none. */
  readonly history?: readonly Message[] | undefined
  readonly temperature?: number | undefined
  readonly maxReplyTokens?: number | undefined
  readonly thinking?: ThinkingLevel | undefined
  /** Handles a call that needs a yes: asks whoever watches, refuses it, or ends the turn with `permission`. */
  readonly onAsk: 'ask' | 'deny' | 'stop'
  /** Answers the questions of turns that bring no handler. Default: those who send `respond`. */
  readonly onQuestion?: AnswerQuestion | undefined
  /** Whether what waits stays for a later opening, because the caller runs the turns. Default: false. */
  readonly leavesQueue?: boolean | undefined
}

/** A model that answers without a conversation. */
export interface ServedModel {
  readonly choice: ModelChoice
  /** Tried in this order if it is overloaded, out of quota or unreachable after the retries. */
  readonly fallback: readonly Candidate[]
}

/** A name that a request for a chat may give as its model. */
export interface ServedModelName {
  /** `provider/model`, or `agent/NAME`. */
  readonly id: string
  readonly owner: string
}

/** Everything that the server offers. `cli` makes it. Methods throw `PipeError`. */
export interface Backend {
  /** At least one; the first is the default. */
  readonly projects: readonly ServedProject[]
  /** Returns the project that a session of this folder belongs to, with its own folder in a worktree of it; `undefined` if there is none. */
  projectOf(cwd: string): ServedProject | undefined
  /** Opens the worktree of this name, or makes it, and returns the project in its folder. Throws `invalid`, `input`, `tool`, `aborted`. */
  inWorktree(
    project: ServedProject,
    name: string,
    options: { readonly signal: AbortSignal },
  ): Promise<ServedProject>
  /** All sessions of this user, of any folder. */
  readonly sessions: SessionStore
  /** Summarises one session without reading all of it; `undefined` if there is none. Throws `aborted`. */
  summary(id: SessionId, options: { readonly signal: AbortSignal }): Promise<SessionSummary | undefined>
  /** The messages that wait for the sessions. */
  readonly queues: MessageQueueStore
  /** Handles a question of a session while no client watches it: it waits, is refused, or ends the turn with `permission`. */
  readonly onUnwatched: 'ask' | 'deny' | 'stop'
  /** Returns the actor id of whoever answers questions in a project. Throws `config`. */
  user(project: ServedProject): Promise<string>
  /** Opens a conversation. Whoever opened it closes it. */
  open(request: OpenRequest, options: { readonly signal: AbortSignal }): Promise<ServedConversation>
  /**
   * Opens a model for requests without a conversation, by a name as in `OpenRequest`; without one, as the program chooses. Throws `usage`,
   * `config`, `auth`.
   */
  openModel(name: string | undefined, options: { readonly signal: AbortSignal }): Promise<ServedModel>
  /** Throws `usage` or `config` for a name that stands for no model in a project. One that lacks only its key passes: a worker may have it. */
  requireModel(name: string, project: ServedProject, options: { readonly signal: AbortSignal }): Promise<void>
  /** Lists the agents of the first project and the models that can be used now. Local servers have 1 s to answer. */
  models(options: { readonly signal: AbortSignal }): Promise<readonly ServedModelName[]>
  /**
   * Lists the models to choose from in a project: usable ones first, `current` always, each other one with the reason why it cannot be used.
   * Throws `config`, `aborted`.
   */
  offers(
    project: ServedProject,
    options: { readonly current?: string | undefined; readonly signal: AbortSignal },
  ): Promise<readonly OfferedModel[]>
  /** The board of tasks, as seen from a project. */
  tasks(project: ServedProject): TaskActions
  /** Throws the reason why no turn could run: the store cannot be written, or no provider is configured. */
  requireReady(options: { readonly signal: AbortSignal }): Promise<void>
  /** Ends the connections to models, and what runs for worktrees. */
  close(): void | Promise<void>
}
