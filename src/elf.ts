import type { Command } from './engine.ts'
import type { PipeError } from './error.ts'
import type { AgentEvent, InteractionResponded } from './event.ts'
import type { AgentId, SessionId } from './id.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { UserMessage } from './message.ts'
import type { StopReason, Usage } from './usage.ts'

/** An agent that works for another one, with its own engine, history, model, session and audit log. */
export interface Elf {
  readonly id: AgentId
  /** Whether it has ended, so that it takes no more messages. */
  readonly isOver: boolean
  /** As `Engine.send`. */
  send(command: Command): void
  /** Runs it as it is pulled, once. Throws `conflict` if it was pulled or awaited before. A failure is in the result. */
  events(): AsyncGenerator<AgentEvent, ElfResult, undefined>
  /** Runs it to its end unless somebody pulls its events, and returns its result. May be called any number of times. */
  wait(): Promise<ElfResult>
}

/** An elf that has ended. */
export interface ElfResult {
  /** The text of its last reply; empty if it has none. */
  readonly text: string
  readonly stopReason: StopReason
  readonly rounds: number
  readonly usage: Usage
  /** US dollars. Absent if no price is known. */
  readonly costUsd?: number
  /** The reason for an early end. */
  readonly error?: PipeError
}

/** The beginning of an elf's work, as the parent tells it. The events of the elf carry `elfId` as their `agentId`. */
export interface ElfStart {
  readonly type: 'elf_start'
  /** The parent's call that started it. */
  readonly callId: string
  readonly elfId: AgentId
  /** Names it for people and models: `e1`, `e2` … */
  readonly name: string
  /** Name of its agent definition. */
  readonly agent: string
  /** `provider/model`. */
  readonly model: string
  readonly prompt: string
  /** Absent if it is not saved. */
  readonly sessionId?: SessionId
  /** Goes on after its call has ended. */
  readonly isBackground?: true
}

/** The end of an elf's work. */
export interface ElfEnd extends Pick<ElfResult, 'stopReason' | 'rounds' | 'usage' | 'costUsd'> {
  readonly type: 'elf_end'
  readonly elfId: AgentId
  readonly name: string
  readonly sessionId?: SessionId
  /** The reason for an early end, for the user. */
  readonly reason?: string
  /** The last hash of its audit log. */
  readonly auditHead?: string
}

/** Says how an elf's work ended. An answer that was cut at its limit is an answer. */
export function elfOutcome({
  stopReason,
  reason,
}: {
  readonly stopReason: string
  readonly reason?: string | undefined
}): 'done' | 'stopped' | 'failed' {
  if (stopReason === 'aborted') return 'stopped'
  return reason !== undefined || stopReason === 'error' || stopReason === 'refusal' ? 'failed' : 'done'
}

/** Tells of an elf in the background, which no call reports: its start, its end, and the end of a question about its work. */
export type ElfFact = ElfStart | ElfEnd | InteractionResponded

/** News of elves that go on after their call. */
export type ElfNews =
  /** Of an elf, or a fact about it as an event of the parent. */
  | { readonly type: 'event'; readonly event: AgentEvent }
  /** It ends with an event `interaction_responded`. */
  | { readonly type: 'question'; readonly interaction: Interaction }
  /** The result of an elf, as a message for the parent's model. It names no files to attach. */
  | { readonly type: 'report'; readonly message: UserMessage }

/**
 * The elves of a conversation. A front end takes the news of those in the background, also while a turn runs, and passes reports on as
 * messages: it steers a running turn with them, or begins one.
 */
export interface ElvesAtWork {
  /** Whether an elf works in the background, or has news. */
  readonly isBusy: boolean
  /** Waits for news of elves in the background. Throws `aborted`. One caller at a time. */
  next(signal: AbortSignal): Promise<ElfNews>
  /** Answers a question of an elf in the background. Throws `not_found`, `conflict` and `invalid`. */
  respond(response: InteractionResponse): void
  /** Stops an elf by its name. Returns false if it is not at work. */
  stop(name: string): boolean
}
