import type { Engine, ModelChoice, Turn } from '../engine.ts'
import type { PipeError } from '../error.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { UserMessage } from '../message.ts'
import type { PermissionMode } from '../permission.ts'
import type { Filters } from './clean.ts'
import type { Status } from './state.ts'

/** The conversation on the screen. */
export interface Talk {
  readonly engine: Engine
  /** Absent where nothing is saved. */
  readonly sessionId: string | undefined
  /** `provider/model`. */
  readonly model: string
  readonly mode: PermissionMode | undefined
  /** For the person: what could not be read, and the like. */
  readonly warnings: readonly string[]
  /** For the person: what was decided for them. */
  readonly notices?: readonly string[]
}

export interface UndoOptions {
  readonly redo: boolean
  /** Also where files were changed since. */
  readonly force: boolean
  readonly signal: AbortSignal
}

/** What a front end cannot do by itself, given by the composition root. A command whose ability is absent does not exist. */
export interface Abilities extends Filters {
  /** What the person wrote as a message, with the files it names. Throws `PipeError` where they cannot be read. */
  compose(text: string): UserMessage
  /** Why a turn did not do what was asked. */
  complaint(turn: Turn): PipeError | undefined
  branch(): string | undefined
  nearest(word: string, candidates: readonly string[]): string | undefined
  /** Tokens that the context of a `provider/model` holds. */
  contextWindow?(model: string): number | undefined
  /** Throws `PipeError` for a model that cannot be used. */
  chooseModel?(text: string): Promise<ModelChoice>
  /** The mode that is meant by a word; `undefined` where none is. */
  readMode(text: string): PermissionMode | undefined
  /** Gives what the person should know of it. */
  setMode?(mode: PermissionMode): Promise<string | undefined>
  /** What is to be asked before anything is sent from this folder; `undefined` where nothing is, or was answered. */
  trustQuestion?(): Interaction | undefined
  /** Acts by the answer to it; says what holds now. Throws `PipeError` where it cannot be kept. */
  answerTrust?(response: InteractionResponse): Promise<string>
  /**
   * Puts files back as they were before the last turn that changed some, or brings that back; says what became of them. Throws
   * `aborted` where the signal came before any was touched; after that it goes on to its end.
   */
  undo?(options: UndoOptions): Promise<string>
  /** Closes this conversation and begins another. */
  newConversation?(): Promise<Talk>
  /** Closes this conversation and opens one by its id or the beginning of it; without it the newest other one of this folder. */
  openConversation?(id: string | undefined): Promise<Talk>
}

/** What the status line says once this `provider/model` answers. */
export function modelStatus(model: string, abilities: Abilities): Pick<Status, 'model' | 'contextWindow'> {
  return { model, contextWindow: abilities.contextWindow?.(model) }
}
