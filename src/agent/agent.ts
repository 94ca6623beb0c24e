import type { Actor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { AgentState, Limits, ModelChoice, Routing } from '../engine.ts'
import type { PipeError } from '../error.ts'
import type { AgentEvent, AgentFact, TextDelta } from '../event.ts'
import type { Checkpoints } from '../history/checkpoint.ts'
import type { NewId } from '../id.ts'
import type { ToolExecutor } from '../tool.ts'
import type { AnswerDemand, CalledTurn, CalledWorks, TurnHooks } from '../turn-hooks.ts'
import type { StopReason } from '../usage.ts'
import type { AuditTrail } from './calls/audit-trail.ts'
import type { Budget } from './limits/budget.ts'
import type { Meter } from './limits/meter.ts'
import type { Mailbox } from './mailbox.ts'
import type { OpenQuestions } from './open-questions.ts'
import type { Fallback } from './request/fallback.ts'
import type { IncomingReply } from './request/incoming-reply.ts'
import type { Pace } from './request/pace.ts'
import type { Repetition } from './request/repetition.ts'
import type { History } from './turn/turn-history.ts'

/** State and ports shared by turns and their rounds. Owned by one engine. */
export interface Agent {
  readonly history: History
  readonly questions: OpenQuestions
  readonly mailbox: Mailbox
  readonly executor: ToolExecutor
  readonly checkpoints: Checkpoints | undefined
  readonly hooks: TurnHooks | undefined
  readonly demands: readonly AnswerDemand[]
  /** The skills and commands that messages call. */
  readonly called: CalledWorks | undefined
  readonly actor: Actor
  readonly trail: AuditTrail | undefined
  readonly clock: Clock
  readonly newId: NewId
  readonly random: () => number
  readonly systemPrompt: string
  /** Token limit of one reply, besides the budget. */
  readonly maxReplyTokens: number | undefined
  readonly temperature: number | undefined
  /** Whether the history is shortened without a command. */
  readonly autoCompact: boolean
  /** Whether a user can answer questions. */
  readonly attended: boolean
  readonly limits: Limits
  /** Since the conversation was opened. */
  readonly budget: Budget
  readonly routing: Routing
  /** Milliseconds to the first event of the last reply, by `provider/model`. */
  readonly latency: Map<string, number>
  readonly pace: Pace | undefined
  readonly choice: () => ModelChoice
  /** Lets another model answer until the turn ends; `undefined` ends that. */
  readonly lend: (choice: ModelChoice | undefined) => void
  /** Returns the reason for the choice once. */
  readonly takeReason: () => string | undefined
  readonly enter: (state: AgentState) => AgentFact
}

/** State of a running turn. */
export interface Progress {
  rounds: number
  readonly spent: Meter
  readonly fallback: Fallback
  readonly repetition: Repetition
  /** Sentences that the turn has told its user. */
  readonly told: Set<string>
  /** Holds the models and rules that skills and commands lend to the turn. */
  readonly called: CalledTurn[]
  /** Counts how often hooks have let the turn go on. Default: 0. */
  timesProlonged?: number
  /** Whether the next round is for the form of the answer alone. */
  isFormal: boolean
  /** Models, as `provider/model`, whose servers refuse the form. */
  readonly formless: Set<string>
  stopReason: StopReason
  error?: PipeError
}

/** An event of an elf. It passes with its own `agentId` and `seq`. */
export interface RelayedEvent {
  readonly type: 'agent'
  readonly event: AgentEvent
}

/** A step of running calls. */
export type CallStep = AgentFact | RelayedEvent

/** A step of a turn: that of a call, a reply whose events its consumer pulls before the next step, or the answer of an elf. */
export type TurnStep = CallStep | IncomingReply | TextDelta
