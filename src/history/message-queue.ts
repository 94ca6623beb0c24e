import type { QueuedMessage } from '../conversation.ts'
import type { SessionId } from '../id.ts'
import { spokenText, type UserMessage } from '../message.ts'

/** A message that was accepted while a turn ran, and is not in the session yet. */
export interface WaitingMessage {
  readonly message: UserMessage
  /** `steer`: for the running turn, with its next request. `follow_up`: for a turn of its own. */
  readonly kind: 'steer' | 'follow_up'
}

/** Describes a message that waits for those who watch. */
export function queued({ message, kind }: WaitingMessage): QueuedMessage {
  return { id: message.id, text: spokenText(message), kind }
}

/** Keeps the messages that wait beside their sessions. Only the process that has a session open writes those of it. */
export interface MessageQueueStore {
  /** Reads the messages in the order in which they were accepted. Throws `input` with the path for a file of another program or version. */
  read(id: SessionId): Promise<readonly WaitingMessage[]>
  /** Replaces them, on disk when it resolves. Throws `permission`, `internal`, and for a full disk what `isDiskFull` knows. */
  write(id: SessionId, waiting: readonly WaitingMessage[]): Promise<void>
}
