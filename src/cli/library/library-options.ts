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
  readonly cwd?: string | undefined
  /** More folders to work in. Default: none. */
  readonly folders?: readonly string[] | undefined
  /** `provider/model[:level]`, a route or part of a model's id; or a model of a provider of your own. */
  readonly model?: string | ModelChoice | undefined
  /** The name of an agent definition to work as, such as `explore`. Default: none. */
  readonly agent?: string | undefined
  /** Overrides the level in the model's name. */
  readonly thinking?: ThinkingLevel | undefined
  /** Replaces the system prompt. */
  readonly systemPrompt?: string | undefined
  /** Follows the system prompt. */
  readonly moreSystemPrompt?: string | undefined
  /** The mode, and rules in addition to those of the settings, as in `config.json`: `Bash(git diff:*)`. */
  readonly permissions?: Permissions | undefined
  /** Any other settings, as in `config.json`. They override the user's. */
  readonly settings?: JsonObject | undefined
  /** Trusts the folder for this conversation. Default: as the user has decided. */
  readonly trust?: boolean | undefined
  /** Default: a new one. `unsaved` leaves nothing on disk but the audit log, and nothing to undo. */
  readonly session?: SessionChoice | { readonly type: 'unsaved' } | undefined
  /** Keeps the sessions. Default: the user's sessions on disk. */
  readonly store?: SessionStore | undefined
  /**
   * The files of the conversation: `read`, `write`, `edit`, `rename`, `grep` and `glob` go through it, under absolute paths, and `undo` has
   * nothing to undo. Commands, and files that prompts mention, are those of this machine. Default: the files of this machine.
   */
  readonly artifacts?: ArtifactStore | undefined
  /** Tools besides the built-in ones. They pass the same permission checks. */
  readonly tools?: ToolExecutor | undefined
  /**
   * The JSON Schema that the answer of each turn must fit, or one in short: `name, age int`. As `--json-schema`: the model is told, answers are
   * checked, and a turn whose answer does not fit ends with the error `schema`. Default: any text.
   */
  readonly jsonSchema?: JsonObject | string | undefined
  readonly limits?: Limits | undefined
  /** Token limit of one reply. Default: the model's. */
  readonly maxReplyTokens?: number | undefined
  /** 0 to 2. Default: the provider's. */
  readonly temperature?: number | undefined
  /** Answers the questions of all turns, unless `run` has a handler of its own. */
  readonly onQuestion?: AnswerQuestion | undefined
  /**
   * Handles a call that needs approval: asks, refuses it and tells the model, or ends the turn with `permission`.
   * Default: `ask` if there is an `onQuestion`, else `deny`.
   */
  readonly onAsk?: 'ask' | 'deny' | 'stop' | undefined
  /** Gets faults that stop nothing, such as an ignored setting. Default: they are only in `warnings`. */
  readonly onWarning?: ((line: string) => void) | undefined
  /** The environment of the conversation and its commands. `PIPE_HOME` moves all of pipe's data. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Interrupts the opening. */
  readonly signal?: AbortSignal | undefined
}

export interface Permissions {
  readonly mode?: PermissionMode | undefined
  readonly allow?: readonly string[] | undefined
  readonly ask?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
}
