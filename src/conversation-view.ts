import type { Engine, ModelChoice, Turn } from './engine.ts'
import type { PipeError } from './error.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { UserMessage } from './message.ts'
import type { PermissionMode } from './permission.ts'

/** The open conversation, as a front end sees it. */
export interface ConversationView {
  readonly engine: Engine
  /** Absent if nothing is saved. */
  readonly sessionId: string | undefined
  /** `provider/model`. */
  readonly model: string
  readonly mode: PermissionMode | undefined
  /** Problems to show to the user, such as files that cannot be read. */
  readonly warnings: readonly string[]
  /** Automatic decisions to show to the user. */
  readonly notices?: readonly string[]
}

export interface UndoOptions {
  readonly redo: boolean
  /** Overwrites files that were changed since. */
  readonly force: boolean
  readonly signal: AbortSignal
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
  /** Searches the messages of all conversations; returns a report. Throws `aborted`. */
  recall?(words: string, signal: AbortSignal): Promise<string>
  /** Closes this conversation and starts a new one. */
  newConversation?(): Promise<ConversationView>
  /** Closes this conversation and opens one by its id or a prefix of it. Default: the newest other one of this folder. */
  openConversation?(id: string | undefined): Promise<ConversationView>
}
