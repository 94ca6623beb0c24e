import type { Actor } from '../actor.ts'
import type { AuditLog } from '../audit.ts'
import type { Clock } from '../clock.ts'
import type { Limits, ModelChoice, Routing } from '../engine.ts'
import type { Checkpoints } from '../history/checkpoint.ts'
import type { MessageId, NewId } from '../id.ts'
import type { Message } from '../message.ts'
import type { PendingQuestion, SessionLog } from '../session.ts'
import type { ToolExecutor } from '../tool.ts'
import type { AnswerDemand, CalledWorks, TurnHooks } from '../turn-hooks.ts'
import type { AgentEvents } from './agent-events.ts'
import type { SessionSpending } from './limits/budget.ts'
import type { Pace } from './request/pace.ts'
import type { Naming } from './turn/title.ts'

export interface EngineOptions {
  /** The session's one writer; the conversation closes it. */
  readonly log: SessionLog
  /** The log behind `events`. The conversation closes it before the session. Default: no audit log. */
  readonly audit?: AuditLog
  /** Earlier messages of a resumed session. */
  readonly messages?: readonly Message[] | undefined
  /** The last message in the log, if it is of another branch. Default: the last of `messages`. */
  readonly lastWritten?: MessageId | undefined
  /** Title of the earlier session. */
  readonly title?: string | undefined
  /** Questions that an earlier run left open. */
  readonly pending?: readonly PendingQuestion[] | undefined
  /** Numbers its events, and records them in the audit log. */
  readonly events: AgentEvents
  readonly systemPrompt: string
  readonly model: ModelChoice
  /** The `provider/model` that the session keeps until another is chosen. Default: that of `model`. */
  readonly savedModel?: string | undefined
  readonly executor: ToolExecutor
  /** Notified when a turn begins and ends. The executor must save before it changes files. */
  readonly checkpoints?: Checkpoints | undefined
  /** Has a say where rounds and turns end. Default: nobody has. */
  readonly hooks?: TurnHooks | undefined
  /** Judge each turn's answer, in this order. Default: any answer will do. */
  readonly demands?: readonly AnswerDemand[] | undefined
  /** Knows what messages call. Default: they call nothing. */
  readonly called?: CalledWorks | undefined
  readonly actor: Actor
  readonly clock: Clock
  readonly newId: NewId
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number
  readonly limits?: Limits
  /** Counts what it spends, and bounds it. Default: nothing is spent yet, and its limits hold. */
  readonly spending?: SessionSpending
  /** Holds its requests back together with those of other conversations. Default: it waits for itself alone. */
  readonly pace?: Pace | undefined
  /** Models that replace one that cannot answer. Default: none. */
  readonly routing?: Routing | undefined
  /** Token limit of one reply. Default: the model's limit. */
  readonly maxReplyTokens?: number | undefined
  readonly temperature?: number | undefined
  /** Whether to shorten the history once it nears the model's context window, or exceeds it. Default: true. */
  readonly autoCompact?: boolean | undefined
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
