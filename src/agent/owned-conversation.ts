import type { SharedConversation } from '../shared-conversation.ts'

/** A shared conversation in the hands of its owner. */
export interface OwnedConversation extends SharedConversation {
  /** Throws `conflict` after `close`. */
  requireOpen(): void
  /** Throws `conflict` while a turn runs that `run` or `resume` began, and after `close`. */
  requireFree(): void
  /** Throws `conflict` while any turn runs and after `close`. */
  requireIdle(): void
}
