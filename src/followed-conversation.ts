import type { AgentEvent } from './event.ts'
import type { MessageId, SessionId } from './id.ts'
import type { InteractionResponse } from './interaction.ts'
import type { UserMessage } from './message.ts'
import type { PermissionMode } from './permission.ts'
import type { Snapshot } from './shared-conversation.ts'

/** A message that waits at the server: for the running turn, or for a turn of its own. */
export interface QueuedMessage {
  readonly id: MessageId
  /** The user's own words. */
  readonly text: string
  readonly kind: 'steer' | 'follow_up'
}

export interface FollowedSnapshot extends Snapshot {
  readonly queue: readonly QueuedMessage[]
}

/** News of a conversation that somebody else runs. */
export type FollowedNews =
  /** `isOwn`: of the agent itself, not of one of its elves. */
  | { readonly type: 'event'; readonly event: AgentEvent; readonly isOwn: boolean }
  /** The whole conversation: first of all, and where events were missed. */
  | { readonly type: 'snapshot'; readonly snapshot: FollowedSnapshot }
  /** All messages that wait now. */
  | { readonly type: 'queue'; readonly queue: readonly QueuedMessage[] }
  /** The `provider/model` and the mode of the next round, whoever set them. */
  | { readonly type: 'settings'; readonly model: string; readonly mode: PermissionMode }
  /** The turn failed, with the reason for the user. */
  | { readonly type: 'failed'; readonly reason: string }
  /** The connection was lost, and is tried again. */
  | { readonly type: 'lost'; readonly reason: string }
  /** The connection is back. */
  | { readonly type: 'found' }

/**
 * A conversation that somebody else runs, such as a server: this side watches it and says what it wants. Methods throw `network` and the
 * errors of the other side.
 */
export interface FollowedConversation {
  readonly sessionId: SessionId
  /** The conversation when it was opened here. */
  readonly snapshot: FollowedSnapshot
  /** Yields news until the signal fires. Throws the reason once the conversation is gone for good. */
  watch(signal: AbortSignal): AsyncIterable<FollowedNews>
  /** Sends a message: for the running turn (`now`) or for one of its own after it. Without a turn, begins one. */
  say(message: UserMessage, when: 'now' | 'after'): Promise<SaidAs>
  /** Withdraws a message that waits. Throws `not_found` if it was delivered. */
  takeBack(id: MessageId): Promise<void>
  /** Answers a question. Throws `conflict` or `not_found` if it is no longer open. */
  respond(response: InteractionResponse): Promise<void>
  interrupt(): Promise<void>
  /** Summarises the history. Returns a note for the user. */
  compact(keep: string | undefined): Promise<string | undefined>
}

/** The fate of a message: it began a turn, or waits. */
export type SaidAs = 'started' | 'steering' | 'queued'
