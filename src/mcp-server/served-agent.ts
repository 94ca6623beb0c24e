import type { LocalConversation } from '../conversation.ts'
import type { ModelChoice } from '../engine.ts'
import type { UserMessage } from '../message.ts'
import type { SessionChoice } from '../session.ts'
import type { Tool } from '../tool.ts'

/** The conversation that a client's calls of tools belong to. */
export interface ServedCalls extends LocalConversation {
  /** All tools of pipe, those included that the client is not given. */
  readonly tools: readonly Tool[]
}

/** A conversation for a whole turn. */
export interface ServedRun extends LocalConversation {
  /** Composes a message of a text that a program wrote. Throws `input`. */
  compose(text: string): UserMessage
  /** Spending since it was opened, with its elves: US dollars. Absent if no price is known. */
  spent(): { readonly costUsd: number | undefined }
}

export interface RunRequest {
  readonly session: SessionChoice
  /** As `pipe -m` takes it. Default: as the program chooses. */
  readonly model?: string | undefined
  /** A folder in the served one. Default: the served one itself. */
  readonly cwd?: string | undefined
  /** Whether somebody can be asked. */
  readonly isAttended: boolean
}

export interface CallsRequest {
  /** Stands for the client, which makes the calls. */
  readonly model: ModelChoice
  /** Whether somebody can be asked. */
  readonly isAttended: boolean
}

/** Opens conversations for clients. `cli` makes it. Methods throw `PipeError`. Whoever opens a conversation closes it. */
export interface ServedAgent {
  readonly version: string
  openCalls(request: CallsRequest, options: { readonly signal: AbortSignal }): Promise<ServedCalls>
  openRun(request: RunRequest, options: { readonly signal: AbortSignal }): Promise<ServedRun>
}
