import type { Actor } from '../actor.ts'
import type { AuditLog } from '../audit.ts'
import type { Clock } from '../clock.ts'
import type { Limits, ModelChoice, Routing } from '../engine.ts'
import type { Checkpoints } from '../history/checkpoint.ts'
import type { AgentId, MessageId, NewId } from '../id.ts'
import type { Message } from '../message.ts'
import type { PendingQuestion, SessionLog } from '../session.ts'
import type { ToolExecutor } from '../tool.ts'
import type { Usage } from '../usage.ts'
import type { Budget } from './limits/budget.ts'
import type { Naming } from './turn/title.ts'

export interface EngineOptions {
  /** The session's one writer; the conversation closes it. */
  readonly log: SessionLog
  /** Records decisions and actions. The conversation closes it before the session. Default: no audit log. */
  readonly audit?: AuditLog
  /** Earlier messages of a resumed session. */
  readonly messages?: readonly Message[]
  /** The last message in the log, if it is of another branch. Default: the last of `messages`. */
  readonly lastWritten?: MessageId
  /** Title of the earlier session. */
  readonly title?: string
  /** Questions that an earlier run left open. */
  readonly pending?: readonly PendingQuestion[]
  /** Usage and cost of the earlier messages. */
  readonly usage?: Usage
  readonly costUsd?: number
  /** Names it in its events. Default: a new id. */
  readonly agentId?: AgentId
  readonly systemPrompt: string
  /** The audit log holds this system prompt from an earlier run. Default: false. */
  readonly isPromptAudited?: boolean
  readonly model: ModelChoice
  /** The `provider/model` that the session keeps until another is chosen. Default: that of `model`. */
  readonly savedModel?: string
  readonly executor: ToolExecutor
  /** Notified when a turn begins and ends. The executor must save before it changes files. */
  readonly checkpoints?: Checkpoints
  readonly actor: Actor
  readonly clock: Clock
  readonly newId: NewId
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number
  readonly limits?: Limits
  /** A budget to spend from, besides its own limits. Default: none. */
  readonly budget?: Budget
  /** Models that replace one that cannot answer. Default: none. */
  readonly routing?: Routing
  /** Token limit of one reply. Default: the model's limit. */
  readonly maxReplyTokens?: number
  readonly temperature?: number
  /** Whether to shorten the history once it nears the model's context window, or exceeds it. Default: true. */
  readonly autoCompact?: boolean
  /** Whether a user can be asked about the model itself. Default: false, which stops a model that repeats itself. */
  readonly attended?: boolean
  /** How a new session gets its title. Default: the user's first words. */
  readonly naming?: Naming
}

export interface BranchOptions {
  /** Default: none. */
  readonly left?: readonly Message[]
  readonly signal: AbortSignal
}
