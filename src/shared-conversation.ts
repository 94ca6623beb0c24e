import type { AgentState, Command, Turn } from './engine.ts'
import type { PipeError } from './error.ts'
import type { AgentEvent } from './event.ts'
import type { ContextUse } from './history/context-use.ts'
import type { SessionId } from './id.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { JsonValue } from './json-value.ts'
import type { Message, TextBlock, ThinkingBlock, UserMessage } from './message.ts'
import type { Usage } from './usage.ts'

/**
 * A place among the events of a conversation: `<run>-<number>`. The run is one opening of the conversation, and the number counts its
 * events from 1; 0 precedes the first.
 */
export type Position = string

/** An event, or the whole conversation for a watcher who has missed events or watched a turn that broke off with an exception. */
export type Watched =
  | { readonly type: 'event'; readonly position: Position; readonly event: AgentEvent }
  | { readonly type: 'snapshot'; readonly position: Position; readonly snapshot: Snapshot }

/** A conversation at one position. */
export interface Snapshot {
  readonly state: AgentState
  readonly messages: readonly Message[]
  readonly usage: Usage
  /** US dollars, counting known prices only. */
  readonly costUsd?: number
  /** The reply so far. */
  readonly reply: readonly (TextBlock | ThinkingBlock)[]
  /** The running calls. */
  readonly calls: readonly RunningCall[]
  /** The questions that wait for an answer. */
  readonly questions: readonly Interaction[]
}

export interface RunningCall {
  readonly callId: string
  readonly name: string
  readonly arguments: JsonValue
}

export interface WatchOptions {
  /** Begins after this position, if its events are still kept. Default: begins with a snapshot. */
  readonly after?: Position
  /** Ends the watching. */
  readonly signal?: AbortSignal
}

export interface RunOptions {
  /** Interrupts the turn. */
  readonly signal?: AbortSignal
  /**
   * Answers the questions of this turn while it runs. The signal fires once no answer is needed, because somebody else sent
   * `respond` or the turn ended. Default: only those who send `respond` answer.
   */
  readonly onQuestion?: AnswerQuestion
  /**
   * Takes each event of this turn and of its elves, in order. The turn waits for the promise, if one is returned, so that it runs no faster
   * than its reader. If it throws, the turn is interrupted and `run` throws that error. Default: nothing.
   */
  readonly onEvent?: (event: AgentEvent) => Promise<void> | void
}

export type AnswerQuestion = (
  question: Interaction,
  options: { readonly signal: AbortSignal },
) => Promise<Answer> | Answer

/** The answer to a question. `answeredBy` defaults to the local user. */
export type Answer = Omit<InteractionResponse, 'interactionId' | 'answeredBy'> &
  Partial<Pick<InteractionResponse, 'answeredBy'>>

/**
 * A conversation with one owner, which pulls the engine, and any number of watchers, which read the owner's log of events at their
 * own pace. It needs no watchers, and a slow watcher delays no one.
 */
export interface SharedConversation extends AsyncDisposable {
  /** Absent if the conversation is not saved. */
  readonly sessionId: SessionId | undefined
  readonly state: AgentState
  readonly messages: readonly Message[]
  readonly usage: Usage
  /** US dollars, counting known prices only. */
  readonly costUsd: number | undefined
  /** The error of a full disk, while the last messages wait in memory. */
  readonly unsaved: PipeError | undefined
  /** Sizes the next request by kind. */
  contextUse(): ContextUse
  /**
   * Runs a turn to its end, and returns it or the turn of a late steering message. Failures are the turn's `error`. The result of an elf
   * in the background steers a running turn, or begins one, for whose end the next `run` waits. Throws `conflict` while another run lasts
   * and after `close`, `invalid` for an invalid message or answer, and the errors of `onQuestion`.
   */
  run(message: UserMessage, options?: RunOptions): Promise<Turn>
  /** Whether an earlier run left a question open. */
  readonly canResume: boolean
  /**
   * Asks the open questions again, carries out their calls and goes on with the turn. Nothing is asked of the model for it. Without an open
   * question, carries out a `compact` that was sent. Throws `input` if there is neither, and as `run` does. `run` resumes too, and delivers its message afterwards.
   */
  resume(options?: RunOptions): Promise<Turn>
  /** Like `Engine.send`. Throws `conflict` after `close`. */
  send(command: Command): void
  /**
   * Reads the events from a position on, waits for more, and ends when the conversation is closed. Yields a snapshot instead of
   * events that are no longer kept.
   */
  watch(options?: WatchOptions): AsyncIterableIterator<Watched, undefined>
  /**
   * Interrupts a running turn, waits for its end, and closes the conversation. Open questions wait for `resume`. May be called repeatedly.
   */
  close(): Promise<void>
}
