import { PipeError } from './error.ts'
import type { AgentEvent } from './event.ts'
import type { AgentId, MessageId } from './id.ts'
import type { InteractionResponse } from './interaction.ts'
import type { Message, UserMessage } from './message.ts'
import type { ModelInfo } from './model.ts'
import type { Provider, ThinkingLevel } from './provider.ts'
import type { StopReason, Usage } from './usage.ts'

/** Where an agent is in its round. A round always walks the whole circle, with zero calls too. */
export type AgentState = 'idle' | 'thinking' | 'toolcall' | 'reflecting'

const successors: Readonly<Record<AgentState, AgentState>> = {
  idle: 'thinking',
  thinking: 'toolcall',
  toolcall: 'reflecting',
  reflecting: 'idle',
}

/** Throws `invalid` with `details.from` and `details.to` unless the step is the next one of the circle, or none. */
export function validateTransition(from: AgentState, to: AgentState): void {
  if (from === to || successors[from] === to) return
  throw new PipeError('invalid', `an agent cannot go from ${from} to ${to}`, { details: { from, to } })
}

/** The state after this one. */
export function nextState(from: AgentState): AgentState {
  return successors[from]
}

/** Who answers from the next round on. */
export interface ModelChoice {
  readonly provider: Provider
  readonly model: string
  readonly thinking?: ThinkingLevel
  /** What is known of the model. */
  readonly info?: ModelInfo
  /** Context size in tokens as reported by the server, once known. Used if `info` has none. */
  readonly servedWindow?: () => number | undefined
}

/** The facts known about the model so far. */
export function infoOf({ provider, model, info, servedWindow }: ModelChoice): ModelInfo | undefined {
  const served = servedWindow?.()
  if (served === undefined || info?.contextWindow !== undefined) return info
  return { provider: provider.name, id: model, ...info, contextWindow: served }
}

/** `provider/model`. */
export function modelName({ provider, model }: Pick<ModelChoice, 'provider' | 'model'>): string {
  return `${provider.name}/${model}`
}

/** A model that may answer where the chosen one cannot. */
export interface Candidate {
  /** `provider/model`. */
  readonly name: string
  readonly info?: ModelInfo
  /** Throws `config`, `auth`: such a candidate is passed over. */
  open(): Promise<ModelChoice>
}

/** Who answers instead of the chosen model, and when. */
export interface Routing {
  /** Asked where the chosen model lacks an ability that a round needs: images, tools, room for the context. */
  readonly candidates: readonly Candidate[]
  /** In this order, where the chosen model is overloaded, out of quota or not to be reached after the retries. */
  readonly fallback: readonly Candidate[]
  /** Which of several able candidates: the first, the cheapest, or the one that was quickest to answer so far. */
  readonly prefer: 'order' | 'cost' | 'latency'
}

/** What a run may spend before it is stopped with `budget`, or with `turn_limit` for `maxRounds`. Absent: no limit. */
export interface Limits {
  /** Rounds of one turn. */
  readonly maxRounds?: number
  /** Input and output tokens of all turns. */
  readonly maxTokens?: number
  /** US dollars of all turns, as far as prices are known. */
  readonly maxCostUsd?: number
  /** Milliseconds of one turn. */
  readonly maxTimeMs?: number
}

/** The one door down: all that a front end may say to a running agent. */
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
  /** Holds from the next round on. */
  | { readonly type: 'set_model'; readonly choice: ModelChoice }
  /** The history is summarised before the next request leaves. */
  | { readonly type: 'compact' }

/** One or more rounds: from a person's message to the reply that makes no calls. */
export interface Turn {
  /** What the turn added to the history, the user's message included. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly rounds: number
  readonly stopReason: StopReason
  /** US dollars; absent where no price was known. */
  readonly costUsd?: number
  /** Why it did not end by itself: the provider gave up, a limit was reached, a tool could not be run. */
  readonly error?: PipeError
  /** The reason why messages or audit entries wait in memory: the disk is full. */
  readonly unsaved?: PipeError
  /** Steering messages that came too late, to submit as the next turn. Absent if the turn was interrupted. */
  readonly late?: UserMessage
}

/** Drives one conversation. Owned by exactly one `Conversation`; shares no state with another engine. */
export interface Engine {
  readonly id: AgentId
  readonly state: AgentState
  readonly history: readonly Message[]
  readonly usage: Usage
  /** US dollars, as far as prices were known. */
  readonly costUsd: number | undefined
  /**
   * Runs one turn. Nothing happens unless it is pulled. Throws `conflict` where a turn is running already and `invalid` for a
   * message against the rules; every later failure is the turn's `error`. The signal ends it with stop reason `aborted`. What is
   * said and saved is the message without Unicode's tag characters.
   */
  submit(
    message: UserMessage,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<AgentEvent, Turn, undefined>
  /**
   * Throws `conflict` if the question was already answered. Throws `not_found` if there is no such question, or the message to withdraw was
   * already delivered.
   */
  send(command: Command): void
}
