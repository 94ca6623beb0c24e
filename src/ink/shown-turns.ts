import type { Clock } from '../clock.ts'
import type { FollowedView, FrontendApi } from '../frontend/conversation-view.ts'
import type { InteractionResponse } from '../interaction.ts'
import type { UserMessage } from '../message.ts'
import type { Waiting } from './state.ts'
import type { Store } from './store.ts'

/** The turns of the conversation on the screen, whoever runs them. */
export interface ShownTurns {
  /** Absent if nothing is saved. */
  readonly sessionId: string | undefined
  /** Id of the session to resume, if it has any messages. */
  readonly resumable: string | undefined
  /** Begins a turn, or steers the running one. */
  say(message: UserMessage, waiting: Waiting): void
  /** Sends a message for a turn after the running one. Absent if turns take no such messages. */
  sayAfter?(message: UserMessage, waiting: Waiting): void
  /** Asks the questions that an earlier run left open, and shows what goes on. */
  resume(): void
  /** Summarises the history now, or with the next request while a turn runs. */
  compact(keep: string | undefined): void | Promise<void>
  interrupt(): void
  /** Moves the newest queued message back into the prompt, unless it was delivered meanwhile. */
  takeBack(): void
  /** Answers the shown question. Throws `conflict` or `not_found` if it is no longer open. */
  respond(response: InteractionResponse): void
  /** Resolves when the last turn is over for the engine too, which saves files after its end. Absent if a server runs it. */
  ended?(): Promise<void>
  /** Leaves the conversation, and waits until nothing of it reaches the screen any more. May be called repeatedly. */
  close(): Promise<void>
}

export interface ShownTurnsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  /** Resolves when all pending finished rows are drawn. */
  readonly drained: (() => Promise<void>) | undefined
  /** Receives internal errors, and the reason why the conversation is gone for good. */
  readonly fail: (error: unknown) => void
}

/** Makes the turns of a conversation that a server runs. */
export type Follow = (view: FollowedView, options: FollowOptions) => ShownTurns

export interface FollowOptions extends ShownTurnsOptions {
  /** Shows a note to the user. */
  readonly note: (level: 'info' | 'error', text: string) => void
}
