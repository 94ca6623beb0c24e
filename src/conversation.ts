import type { AgentState, Command, Turn, Unsaved } from './engine.ts'
import { isPipeError, type PipeError } from './error.ts'
import type { AgentEvent } from './event.ts'
import type { ContextUse } from './history/context-use.ts'
import type { InteractionId, MessageId, SessionId } from './id.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { JsonValue } from './json-value.ts'
import type { Message, TextBlock, ThinkingBlock, UserMessage } from './message.ts'
import type { PermissionMode } from './permission.ts'
import type { ThinkingLevel } from './provider.ts'
import type { StopReason, Usage } from './usage.ts'

/**
 * A place in what watchers read: `<run>-<number>`, or `<run>-<number>.<count>` behind facts that follow this event. The run is one opening
 * of the conversation, and the number counts its events from 1; 0 precedes the first.
 */
export type Position = string

/** One thing that a watcher reads, with the position to go on from. */
export type Watched =
  /** `isOwn`: of the conversation's own agent, not of one of its elves. */
  | {
      readonly type: 'event'
      readonly position: Position
      readonly event: AgentEvent
      readonly isOwn: boolean
    }
  /** The whole conversation: first of all, and where events were missed or have no end. */
  | { readonly type: 'snapshot'; readonly position: Position; readonly snapshot: Snapshot }
  | (WatchedFact & { readonly position: Position })
  /** The connection to the conversation was lost, and is tried again. */
  | { readonly type: 'lost'; readonly position: Position; readonly reason: string }
  /** The connection is back. */
  | { readonly type: 'found'; readonly position: Position }

/** News of the conversation besides the events of its agents. */
export type WatchedFact =
  /** All messages that wait now. */
  | { readonly type: 'queue'; readonly queue: readonly QueuedMessage[] }
  /** The model, its thinking and the mode of the next round, whoever set them. */
  | { readonly type: 'settings'; readonly settings: ConversationSettings }
  /** An elf in the background asks. Questions of a turn are its events. */
  | { readonly type: 'asked'; readonly question: Interaction }
  /** A turn is over and saved, so that the next message begins a new one. */
  | { readonly type: 'ended'; readonly ending: Ending }
  /** Nothing goes on by itself: no turn, no message that waits for one, no elf in the background. */
  | { readonly type: 'settled' }

/** A conversation at one position. */
export interface Snapshot {
  readonly state: AgentState
  /** Whether nothing goes on by itself, so that no `settled` follows. */
  readonly isSettled: boolean
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
  /** The messages that wait, in order. */
  readonly queue: readonly QueuedMessage[]
  readonly settings: ConversationSettings
}

export interface RunningCall {
  readonly callId: string
  readonly name: string
  readonly arguments: JsonValue
  /** The open question about it. */
  readonly asks?: InteractionId
}

/** A message that was accepted while a turn ran, and is not in the session yet. */
export interface QueuedMessage {
  readonly id: MessageId
  /** The user's own words. */
  readonly text: string
  /** `steer`: for the running turn, with its next request. `follow_up`: for a turn of its own. */
  readonly kind: 'steer' | 'follow_up'
}

export interface ConversationSettings {
  /** `provider/model`. */
  readonly model: string
  /** The level of thinking. Absent: its server decides. */
  readonly thinking?: ThinkingLevel
  readonly mode: PermissionMode
}

/** How a turn ended. */
export interface Ending {
  readonly stopReason: StopReason
  /** The reason for an early end. */
  readonly error?: PipeError | undefined
  /** Set while data waits in memory because the disk is full. */
  readonly unsaved?: Unsaved | undefined
}

/** Returns the error of a bug that ended a turn; `undefined` for any other end. Front ends let it end the program. */
export function bugOf({ error }: Ending): unknown {
  return error?.code === 'internal' && error.cause !== undefined && !isPipeError(error.cause)
    ? error.cause
    : undefined
}

export interface WatchOptions {
  /** Begins after this position, if its events are still kept. Default: begins with a snapshot. */
  readonly after?: Position | undefined
  /** Ends the watching. */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether the conversation waits for this watcher, so that it misses nothing. Default: no, and a slow watcher gets a snapshot instead of
   * events that are no longer kept. Only in the process that runs the conversation.
   */
  readonly keepsPace?: boolean | undefined
}

/** `now` begins a turn or steers the running one; `later` begins a turn of its own after it. */
export type When = 'now' | 'later'

/** The fate of a message: it began a turn, or waits. */
export type SentAs = 'started' | 'steering' | 'queued'

/** A place to go to. */
export interface GoToOptions {
  /** Moves the conversation there, or restores the files as they were then, or both. */
  readonly what: 'conversation' | 'files' | 'both'
  /** Carries over a summary of the branch that is left, as a message. Default: false. */
  readonly isSummarised?: boolean | undefined
  readonly signal: AbortSignal
}

/** The result of going to a place. */
export interface Arrival {
  /** The user's text there, for the prompt. */
  readonly text?: string | undefined
  /** A report for the user, such as which files were restored. */
  readonly report?: string | undefined
}

/**
 * A conversation through its one door. Somebody runs its turns, in this process or in another, whether anybody watches or not; front ends
 * watch it and say what they want. Methods throw `conflict` after `close`, and over a connection also `network` and what the other side
 * throws.
 */
export interface Conversation extends AsyncDisposable {
  /** Absent if the conversation is not saved. */
  readonly sessionId: SessionId | undefined
  /** The messages of the current branch, as far as they are known here. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  /** US dollars, counting known prices only. */
  readonly costUsd: number | undefined
  readonly settings: ConversationSettings
  /**
   * Reads from a position on, waits for more, and ends when the conversation is closed. What happens before the first `next` may be a part
   * of the snapshot, so read that before you send. Throws the reason once the conversation is gone for
   * good, such as a bug that ended it.
   */
  watch(options?: WatchOptions): AsyncIterableIterator<Watched, undefined>
  /**
   * Sends a message. Resolves once the session has it or it waits. Throws `invalid` for an invalid message, and the reason why the session
   * does not have it.
   */
  send(message: UserMessage, when?: When): Promise<SentAs>
  /** Withdraws a message that waits. Throws `not_found` if it was delivered. */
  takeBack(id: MessageId): Promise<void>
  /** Answers a question. Throws `conflict` if it was answered already, `not_found` if it is not open, and `invalid`. */
  respond(response: InteractionResponse): Promise<void>
  /**
   * Goes on with what an earlier run left: asks its open questions again, carries out their calls and ends the turn; else begins with what
   * waits. Does nothing if there is neither, or while a turn runs.
   */
  goOn(): Promise<void>
  /**
   * Ends the running turn, and one that a message sent just before is to begin. What waits goes on waiting. `reason`: the `PipeError` that
   * the turn ends with, in the process that runs it. Default: the user wants it.
   */
  interrupt(reason?: unknown): Promise<void>
  /**
   * Summarises the history: before the next request of the running turn, else in a turn of its own, or with `later` before the next request
   * of any turn. `keep`: what the summary must keep, in the user's words. Returns a note for the user.
   */
  compact(keep?: string, when?: When): Promise<string | undefined>
  /** Changes the model from the next round on. Returns its `provider/model`. Throws `usage`, `config`, `auth`. */
  setModel(name: string): Promise<string>
  /** Changes how much the model thinks from the next round on. Throws `usage` for a level that the model does not have. */
  setThinking(level: ThinkingLevel): Promise<void>
  /** Changes the mode from the next call on. Returns a note for the user. Throws `usage`. */
  setMode(mode: PermissionMode): Promise<string | undefined>
  /**
   * Goes to a message: before it if the user wrote it, else behind it and its results. The branch that is left stays in the session. Throws
   * `input`, `conflict` while a turn runs, `aborted`, and the errors of a summary that fails.
   */
  goTo(message: MessageId, options: GoToOptions): Promise<Arrival>
  /** Stops an elf by its name. Returns false if it is not at work. */
  stopElf(name: string): Promise<boolean>
  /** Leaves the conversation. Whoever runs it interrupts the turn and waits for its end; open questions wait for `goOn`. May be called repeatedly. */
  close(): Promise<void>
}

export interface RunOptions {
  /** Interrupts the turn. */
  readonly signal?: AbortSignal | undefined
  /**
   * Answers the questions of this turn while it runs. The signal fires once no answer is needed, because somebody else sent
   * `respond` or the turn ended. Default: only those who send `respond` answer.
   */
  readonly onQuestion?: AnswerQuestion | undefined
  /**
   * Takes each event of this turn and of its elves, in order. The turn waits for the promise, if one is returned, so that it runs no faster
   * than its reader. If it throws, the turn is interrupted and `run` throws that error. Default: nothing.
   */
  readonly onEvent?: ((event: AgentEvent) => Promise<void> | void) | undefined
}

export type AnswerQuestion = (
  question: Interaction,
  options: { readonly signal: AbortSignal },
) => Promise<Answer> | Answer

/** The answer to a question. `answeredBy` defaults to the local user. */
export type Answer = Omit<InteractionResponse, 'interactionId' | 'answeredBy'> &
  Partial<Pick<InteractionResponse, 'answeredBy'>>

/** A conversation that this process runs: whoever begins a turn can also wait for its end. */
export interface LocalConversation extends Conversation {
  readonly state: AgentState
  /** Whether a turn runs, also one that was begun by a message that waited or by the result of an elf. */
  readonly isRunning: boolean
  /** Whether an earlier run left a question open. */
  readonly canResume: boolean
  /** The messages that wait, in order. */
  readonly queue: readonly QueuedMessage[]
  /** The error of a full disk, while the last messages wait in memory. */
  readonly unsaved: PipeError | undefined
  /** Sizes the next request by kind. Cost grows with the history. */
  contextUse(): ContextUse
  /**
   * Runs a turn to its end, and returns it or the turn of a late steering message. Failures are the turn's `error`. The result of an elf
   * in the background steers a running turn, or begins one, for whose end the next `run` waits. Throws `conflict` while another run lasts
   * and after `close`, `invalid` for an invalid message or answer, and the errors of `onQuestion`.
   */
  run(message: UserMessage, options?: RunOptions): Promise<Turn>
  /**
   * Asks the open questions again, carries out their calls and goes on with the turn. Nothing is asked of the model for it. Without an open
   * question, carries out a `compact` that was sent. Throws `input` if there is neither, and as `run` does.
   */
  resume(options?: RunOptions): Promise<Turn>
  /**
   * Does something during which no turn begins; what is sent meanwhile waits. Waits for a turn that has ended and still saves its files.
   * Throws `conflict` while a turn runs and after `close`.
   */
  alone<T>(act: () => Promise<T>): Promise<T>
  /** Like `Engine.send`. Throws `conflict` after `close`. */
  command(command: Command): void
}
