import { PipeError } from './error.ts'
import type { AgentEvent } from './event.ts'
import type { AgentId } from './id.ts'
import type { InteractionResponse } from './interaction.ts'
import type { Message, UserMessage } from './message.ts'
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
}

/** The one door down: all that a front end may say to a running agent. */
export type Command =
  | { readonly type: 'respond'; readonly response: InteractionResponse }
  /** Delivered when the calls of this round have ended, in the request that carries their results. */
  | { readonly type: 'steer'; readonly message: UserMessage }
  | { readonly type: 'interrupt' }
  /** Holds from the next round on. */
  | { readonly type: 'set_model'; readonly choice: ModelChoice }

/** One or more rounds: from a person's message to the reply that makes no calls. */
export interface Turn {
  /** What the turn added to the history, the user's message included. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly rounds: number
  readonly stopReason: StopReason
  /** Why it did not end by itself: the provider gave up, the turn limit was reached, a tool could not be run. */
  readonly error?: PipeError
}

/** Drives one conversation. Owned by exactly one `Conversation`; shares no state with another engine. */
export interface Engine {
  readonly id: AgentId
  readonly state: AgentState
  readonly history: readonly Message[]
  readonly usage: Usage
  /**
   * Runs one turn. Nothing happens unless it is pulled. Throws `conflict` where a turn is running already and `invalid` for a
   * message against the rules; every later failure is the turn's `error`. The signal ends it with stop reason `aborted`.
   */
  submit(
    message: UserMessage,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<AgentEvent, Turn, undefined>
  /** Throws `conflict` for a second answer to a question and `not_found` for an answer to none. */
  send(command: Command): void
}
