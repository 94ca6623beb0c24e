import { PipeError } from './error.ts'
import type { AgentEvent } from './event.ts'
import type { ContextUse } from './history/context-use.ts'
import type { AgentId, MessageId } from './id.ts'
import type { InteractionResponse } from './interaction.ts'
import type { Message, UserMessage } from './message.ts'
import type { ModelInfo } from './model.ts'
import type { Provider, ThinkingLevel } from './provider.ts'
import type { StopReason, Usage } from './usage.ts'

/** State of an agent. Each round goes through all states, even without calls. */
export type AgentState = 'idle' | 'thinking' | 'toolcall' | 'reflecting'

const successors: Readonly<Record<AgentState, AgentState>> = {
  idle: 'thinking',
  thinking: 'toolcall',
  toolcall: 'reflecting',
  reflecting: 'idle',
}

/** Throws `invalid` with `details.from` and `details.to` unless `to` is the same state or the next one. */
export function validateTransition(from: AgentState, to: AgentState): void {
  if (from === to || successors[from] === to) return
  throw new PipeError('invalid', `an agent cannot go from ${from} to ${to}`, { details: { from, to } })
}

/** Returns the next state. */
export function nextState(from: AgentState): AgentState {
  return successors[from]
}

/** The model for the next rounds. */
export interface ModelChoice {
  readonly provider: Provider
  /** Empty: the provider's default. */
  readonly model: string
  readonly thinking?: ThinkingLevel | undefined
  /** Known facts about the model. */
  readonly info?: ModelInfo | undefined
  /** Context size in tokens as reported by the server, once known. Used if `info` has none. */
  readonly servedWindow?: () => number | undefined
  /** Why a rule chose it, to tell with the first round that it answers. Absent if the user chose it. */
  readonly reason?: string
}

/** Returns the facts known about the model so far. */
export function infoOf({ provider, model, info, servedWindow }: ModelChoice): ModelInfo | undefined {
  const served = servedWindow?.()
  if (served === undefined || info?.contextWindow !== undefined) return info
  return { provider: provider.name, id: model, ...info, contextWindow: served }
}

/** `provider/model`. */
export function modelName({ provider, model }: Pick<ModelChoice, 'provider' | 'model'>): string {
  return `${provider.name}/${model}`
}

/** A model that may replace the chosen one. */
export interface Candidate {
  /** `provider/model`. */
  readonly name: string
  readonly info?: ModelInfo
  /** Throws `config` or `auth` if the candidate should be skipped. */
  open(): Promise<ModelChoice>
}

/** Models that replace the chosen one, and when. */
export interface Routing {
  /** Considered if the chosen model lacks an ability for a round: images, tools, enough context. */
  readonly candidates: readonly Candidate[]
  /** Tried in this order if the chosen model is overloaded, out of quota or unreachable after the retries. */
  readonly fallback: readonly Candidate[]
  /** Choice among capable candidates: first, cheapest, or fastest to answer so far. */
  readonly prefer: 'order' | 'cost' | 'latency'
  /** Asked for summaries in this order. Default: none. The conversation's model stands in if all fail. */
  readonly summary?: readonly Candidate[] | undefined
}

/** Limits of a run. Exceeding one ends it with `budget`, or `turn_limit` for `maxRounds`. Absent: no limit. */
export interface Limits {
  /** Rounds of one turn. */
  readonly maxRounds?: number
  /** Input and output tokens of all turns. */
  readonly maxTokens?: number
  /** US dollars of all turns, counting known prices only. */
  readonly maxCostUsd?: number
  /** Milliseconds of one turn. */
  readonly maxTimeMs?: number
}

/** Everything that a front end may send to a running agent. */
export type Command =
  | { readonly type: 'respond'; readonly response: InteractionResponse }
  /**
   * Delivers a message in the request that carries the results of this round's calls. A message too late for the turn ends up in its
   * `late`.
   */
  | { readonly type: 'steer'; readonly message: UserMessage }
  /** Withdraws a steering message before it is delivered. */
  | { readonly type: 'take_back'; readonly messageId: MessageId }
  | { readonly type: 'interrupt' }
  /** Applies from the next round on. */
  | { readonly type: 'set_model'; readonly choice: ModelChoice }
  /**
   * Summarises the history before the next request, or in a turn of its own if the next one is submitted without a message. `keep`: what
   * the summary must keep, in the user's words.
   */
  | { readonly type: 'compact'; readonly keep?: string | undefined }

/** Names the data that a full disk keeps in memory, with the error of the last write. With the conversation, its audit log may wait too. */
export interface Unsaved {
  readonly part: 'conversation' | 'audit_log'
  readonly error: PipeError
}

/** One or more rounds: from the user's message to the reply without calls. */
export interface Turn {
  /** Messages that the turn added to the history, including the user's. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly rounds: number
  readonly stopReason: StopReason
  /** US dollars. Absent if no price is known. */
  readonly costUsd?: number
  /** The reason for an early end: the provider failed, a limit was reached, or a tool could not run. */
  readonly error?: PipeError
  /** Set while data waits in memory because the disk is full. */
  readonly unsaved?: Unsaved
  /** Steering messages that came too late, to submit as the next turn. Absent if the turn was interrupted. */
  readonly late?: UserMessage
}

/** Drives one conversation. Owned by exactly one `Conversation`; shares no state with another engine. */
export interface Engine {
  readonly id: AgentId
  readonly state: AgentState
  readonly history: readonly Message[]
  readonly usage: Usage
  /** US dollars, counting known prices only. */
  readonly costUsd: number | undefined
  /** The error of a full disk, while the last messages wait in memory. */
  readonly unsaved: PipeError | undefined
  /** Whether an earlier run left a question open, so that a turn needs no message. */
  readonly canResume: boolean
  /** Sizes the next request by kind. Cost grows with the history. */
  contextUse(): ContextUse
  /**
   * Runs one turn as it is pulled. Asks first what an earlier run left open; without a message, that alone, or a `compact` that waits.
   * Throws `conflict` if a turn is running, `invalid` for an invalid message, `input` if there is nothing to do. Later failures become
   * the turn's `error`.
   */
  submit(
    message: UserMessage | undefined,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<AgentEvent, Turn, undefined>
  /**
   * Throws `conflict` if the question was already answered, and `not_found` if there is no such question, or if the message to withdraw
   * was already delivered.
   */
  send(command: Command): void
}
