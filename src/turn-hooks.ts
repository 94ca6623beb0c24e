import type { ModelChoice } from './engine.ts'
import { PipeError } from './error.ts'
import type { JsonObject } from './json-value.ts'
import type { AssistantMessage, UserMessage } from './message.ts'
import type { ReplyFormat } from './provider.ts'
import type { ToolResult } from './tool.ts'

/** A hook refused a prompt. Its sender is told, and nobody who watches the conversation: no turn began. */
export class PromptRefused extends PipeError {
  constructor(reason: string) {
    super('permission', `a hook refuses this prompt: ${reason}`, { details: { reason } })
  }
}

/** Judges what the user says before the conversation has it. */
export interface PromptHooks {
  /** Returns the message, perhaps with more context. Throws `PromptRefused`, and `aborted`. */
  admit(message: UserMessage, options: { readonly signal: AbortSignal }): Promise<UserMessage>
}

/** Has a say where turns begin, and where rounds and turns end. */
export interface TurnHooks {
  /** Called with the message of a turn before it is saved. Returns it, perhaps with more context. Throws `aborted`. */
  beginning(message: UserMessage, options: { readonly signal: AbortSignal }): Promise<UserMessage>
  /** Returns sentences that the user was not told yet. */
  takeNotices(): readonly string[]
  /** Returns once why no further round may begin; `undefined` if one may. */
  takeStop(): string | undefined
  /**
   * Called when the model ends its turn. Returns what the model is told so that it goes on; `undefined` if the turn may end. Throws
   * `aborted`.
   */
  ending(end: TurnEnding, options: { readonly signal: AbortSignal }): Promise<string | undefined>
  /** Called before the history is shortened. Returns why it must not be; `undefined` if it may. Throws `aborted`. */
  compacting(about: Shortening, options: { readonly signal: AbortSignal }): Promise<string | undefined>
  /** Called after the history was shortened. Returns text for the model, if it goes on now. Throws `aborted`. */
  compacted(about: Shortened, options: { readonly signal: AbortSignal }): Promise<string | undefined>
}

/** A history that was shortened. */
export interface Shortened extends Pick<Shortening, 'trigger'> {
  /** Stands for the messages that were left out. Empty if only output of tools was. */
  readonly summary: string
}

/** A history that is about to be shortened: by a command, which may name what to keep, or for want of room. */
export interface Shortening {
  readonly trigger: 'manual' | 'auto'
  /** Empty for nothing. */
  readonly keep: string
}

export interface TurnEnding {
  /** The last text of the model. */
  readonly said: string
  /** Counts how often hooks have let this turn go on. */
  readonly timesProlonged: number
}

/** Judges the answer of a turn. The turn goes on until the answer will do, or the demand gives up. */
export interface AnswerDemand {
  /** The form to ask models for. After an objection they are asked for the answer alone, without calls. Default: any text, and calls. */
  readonly format?: ReplyFormat
  /**
   * Judges an answer. Returns what the model is told so that it answers anew; `undefined` if the answer will do. Throws `schema` or `check`
   * once no try is left, and `aborted`.
   */
  judge(said: string, options: { readonly signal: AbortSignal }): Promise<string | undefined>
}

/** Tells how a command of the user that must succeed ended last. */
export interface CheckVerdict {
  readonly command: string
  readonly passed: boolean
  /** Counts its runs. */
  readonly runs: number
  /** The files of the check that were not as at the start of the run when it ran last: the verdict is worth less. */
  readonly changedFiles: readonly string[]
}

/** Knows which messages call a skill or command whose file asks for more than its text. */
export interface CalledWorks {
  /** Returns the work of a message that was composed as a call. */
  of(message: UserMessage): CalledWork | undefined
}

/** A call that the file of a skill or command makes, judged as one of the model. */
export interface CalledCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** Names the wishes of a skill or command for the turn in which the user calls it. */
export interface CalledWork {
  /** As people call it: `/fix`. */
  readonly name: string
  /** Run in this order before the model is asked. */
  readonly calls: readonly CalledCall[]
  /** Returns the text for the model with the results in their places. A call without one was interrupted. */
  text(results: readonly ToolResult[]): string
  /** Does the work of this text instead of the conversation. */
  readonly handedOver?: HandedOver
  /** Lets the rest count until the end of the turn. Resolves with the model of the turn, and what the user must know. */
  begin(current: ModelChoice): Promise<CalledTurn>
}

/** Work that an elf does for the conversation. */
export interface HandedOver {
  call(text: string, begun: CalledTurn): CalledCall
  /** Returns the answer in the result of the call, and who gave it. */
  answer(result: ToolResult): Pick<AssistantMessage, 'provider' | 'model'> & { readonly text: string }
}

/** Holds the choices for one turn. */
export interface CalledTurn {
  /** Default: the model of the conversation. */
  readonly choice?: ModelChoice
  /** Whether the file names that model, and it could be opened. */
  readonly isNamed: boolean
  readonly notices: readonly string[]
  end(): void
}
