import type { TreeMessage } from '../frontend/conversation-view.ts'
import type { SessionList } from './session-list.ts'

/** The lists that the user was shown last. A number in a command means a row of them. */
export interface NumberedLists {
  sessions?: SessionList
  /** The messages that `/rewind` and `/tree` listed. */
  rewind?: readonly TreeMessage[]
  tree?: readonly TreeMessage[]
}
