import type { AnswerQuestion } from '../../conversation.ts'
import type { Limits, ModelChoice } from '../../engine.ts'
import type { JsonObject } from '../../json-value.ts'
import type { ArtifactStore } from '../../machine/artifact.ts'
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
  /** The name of an agent definition to work as, such as `explore`. Default: none. */
  readonly agent?: string
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
  /**
   * The files of the conversation: `read`, `write`, `edit`, `rename`, `grep` and `glob` go through it, under absolute paths, and `undo` has
   * nothing to undo. Commands, and files that prompts mention, are those of this machine. Default: the files of this machine.
   */
  readonly artifacts?: ArtifactStore
  /** Tools besides the built-in ones. They pass the same permission checks. */
  readonly tools?: ToolExecutor
  /**
   * The JSON Schema that the answer of each turn must fit, or one in short: `name, age int`. As `--json-schema`: the model is told, answers are
   * checked, and a turn whose answer does not fit ends with the error `schema`. Default: any text.
   */
  readonly jsonSchema?: JsonObject | string
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
