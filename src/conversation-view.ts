import type { ElvesAtWork } from './elf.ts'
import type { Engine, ModelChoice, Turn } from './engine.ts'
import type { PipeError } from './error.ts'
import type { MessageId } from './id.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { UserMessage } from './message.ts'
import type { PermissionMode } from './permission.ts'
import type { SessionSummary } from './session.ts'
import type { TaskDesk } from './task-desk.ts'

/** The open conversation, as a front end sees it. */
export interface ConversationView {
  readonly engine: Engine
  /** Absent if nothing is saved. */
  readonly sessionId: string | undefined
  /** `provider/model`. */
  readonly model: string
  readonly mode: PermissionMode | undefined
  /** The name of the agent that it works as, if any. */
  readonly agent?: string | undefined
  /** Problems to show to the user, such as files that cannot be read. */
  readonly warnings: readonly string[]
  /** The elves at work; absent if the model starts none. */
  readonly elves?: ElvesAtWork | undefined
  /** Automatic decisions to show to the user. */
  readonly notices?: readonly string[]
}

export interface UndoOptions {
  readonly redo: boolean
  /** Overwrites files that were changed since. */
  readonly force: boolean
  readonly signal: AbortSignal
}

/** A message of the conversation, on any branch, as a place to go to. */
export interface Place {
  readonly messageId: MessageId
  readonly role: 'user' | 'assistant'
  /** Its first words, in one line. */
  readonly text: string
  /** ISO 8601. */
  readonly timestamp: string
  /** How many branchings lie above it that it is not the first child of. */
  readonly depth: number
  /** Whether it belongs to the current branch. */
  readonly isCurrent: boolean
  /** How many turns since then changed files that can be restored. Absent: none. */
  readonly turns?: number
}

export interface GoingOptions {
  /** Moves the conversation there, or restores the files as they were then, or both. */
  readonly what: 'conversation' | 'files' | 'both'
  /** Carries over a summary of the branch that is left, as a message. Default: false. */
  readonly isSummarised?: boolean
  readonly signal: AbortSignal
}

/** The result of going to a place. */
export interface Arrival {
  /** The conversation from there. Absent if only files went there. */
  readonly view?: ConversationView
  /** The user's text there, for the prompt. */
  readonly text?: string
  /** A report for the user, such as which files were restored. */
  readonly report?: string
}

/** Functions that the composition root gives to a front end. A command whose ability is absent does not exist. */
export interface Abilities {
  /** Makes a message of the user's text and the files it names. Throws `PipeError` if these cannot be read. */
  compose(text: string): UserMessage
  /** Explains why a turn did not do what was asked. */
  complaint(turn: Turn): PipeError | undefined
  branch(): string | undefined
  /** Returns the context size of a `provider/model` in tokens. */
  contextWindow?(model: string): number | undefined
  /** Returns the current `provider/model`, which the first message may have decided. */
  model?(): string
  /** Opens a model by name. Throws `PipeError` if it cannot be used. */
  chooseModel?(text: string): Promise<ModelChoice>
  /** Returns the mode that a word names, else `undefined`. */
  readMode(text: string): PermissionMode | undefined
  /** Sets the mode. Returns a note for the user. */
  setMode?(mode: PermissionMode): Promise<string | undefined>
  /** Returns the question to ask before anything is sent from this folder; `undefined` if none is open. */
  trustQuestion?(): Interaction | undefined
  /** Applies the answer to it and returns a note on the result. Throws `PipeError` if the answer cannot be saved. */
  answerTrust?(response: InteractionResponse): Promise<string>
  /**
   * Restores the files from before the last turn that changed some, or redoes its changes; returns a report. Throws `aborted` if
   * the signal fires before any file is changed; after that it ignores the signal.
   */
  undo?(options: UndoOptions): Promise<string>
  /** Gives this conversation a title and returns it as it is kept. Throws `input` if nothing is saved. */
  rename?(title: string): Promise<string>
  /** Searches the messages of all conversations; returns a report. Throws `aborted`. */
  recall?(words: string, signal: AbortSignal): Promise<string>
  /** Closes this conversation and starts a new one. */
  newConversation?(): Promise<ConversationView>
  /** Closes this conversation and opens one by its id or a prefix of it. */
  openConversation?(id: string): Promise<ConversationView>
  /** Lists the sessions of this folder, newest first. One that cannot be read has a fault. */
  sessions?(): AsyncIterable<SessionSummary>
  /** Lists the messages of all branches as a tree. */
  places?(): Promise<readonly Place[]>
  /**
   * Goes to a message: before it if the user wrote it, else behind it and its results. The branch that is left stays in the session.
   * Throws `input`, `conflict` while a turn runs, `aborted`, and the errors of a summary that fails.
   */
  goTo?(message: MessageId, options: GoingOptions): Promise<Arrival>
  /**
   * Writes the conversation to a new file, in the format of its ending; returns a report. Default: a page in the working folder. Throws
   * `PipeError` if it cannot be written.
   */
  exportConversation?(file: string | undefined): Promise<string>
  /** The board of tasks. */
  tasks?: TaskDesk
  /** Stops an elf of the open conversation by its name. Does nothing if it has ended. */
  stopElf?(name: string): void
}
