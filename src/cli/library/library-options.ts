import type { AnswerQuestion } from '../../conversation.ts'
import type { Limits, ModelChoice } from '../../engine.ts'
import type { JsonObject } from '../../json-value.ts'
import type { PermissionMode } from '../../permission.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { SessionChoice, SessionStore } from '../../session.ts'
import type { ToolExecutor } from '../../tool.ts'

/** Options of `openConversation`. Everything that is absent comes from the user's settings, as for the program. */
export interface ConversationOptions {
  /** The working folder. Default: that of the process. */
  readonly cwd?: string
  /** More folders to work in. Default: none. */
  readonly folders?: readonly string[]
  /** `provider/model[:level]`, a route or part of a model's id; or a model of a provider of your own. */
  readonly model?: string | ModelChoice
  /** Overrides the level in the model's name. */
  readonly thinking?: ThinkingLevel
  /** Replaces the system prompt. */
  readonly systemPrompt?: string
  /** Follows the system prompt. */
  readonly moreSystemPrompt?: string
  /** The mode, and rules in addition to those of the settings, as in `config.json`: `Bash(git diff:*)`. */
  readonly permissions?: Permissions
  /** Any other settings, as in `config.json`. They override the user's. */
  readonly settings?: JsonObject
  /** Trusts the folder for this conversation. Default: as the user has decided. */
  readonly trust?: boolean
  /** Default: a new one. `unsaved` leaves nothing on disk but the audit log, and nothing to undo. */
  readonly session?: SessionChoice | { readonly type: 'unsaved' }
  /** Keeps the sessions. Default: the user's sessions on disk. */
  readonly store?: SessionStore
  /** Tools besides the built-in ones. They pass the same permission checks. */
  readonly tools?: ToolExecutor
  readonly limits?: Limits
  /** Token limit of one reply. Default: the model's. */
  readonly maxReplyTokens?: number
  /** 0 to 2. Default: the provider's. */
  readonly temperature?: number
  /** Answers the questions of all turns, unless `run` has a handler of its own. */
  readonly onQuestion?: AnswerQuestion
  /**
   * Handles a call that needs approval: asks, refuses it and tells the model, or ends the turn with `permission`.
   * Default: `ask` if there is an `onQuestion`, else `deny`.
   */
  readonly onAsk?: 'ask' | 'deny' | 'stop'
  /** Gets faults that stop nothing, such as an ignored setting. Default: they are only in `warnings`. */
  readonly onWarning?: (line: string) => void
  /** The environment of the conversation and its commands. `PIPE_HOME` moves all of pipe's data. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Interrupts the opening. */
  readonly signal?: AbortSignal
}

export interface Permissions {
  readonly mode?: PermissionMode
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
}
