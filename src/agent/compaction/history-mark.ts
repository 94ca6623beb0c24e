import { type MessageSource, newMessage } from '../../history/new-message.ts'
import type { MessageId } from '../../id.ts'
import type { ContentBlock, Message, UserMessage } from '../../message.ts'

/** The ids of the last messages that a mark covers. */
export interface Marked {
  /** The mark replaces the messages up to this one. */
  readonly compacted_through?: MessageId
  /** Notes replace the tool outputs up to this message. */
  readonly pruned_through?: MessageId
}

/**
 * Creates a message whose metadata define what requests send of the history before it. The first `context` blocks of its
 * content are the environment, the next is its summary or note, the others are the current request. `keep` is what the user asked to
 * keep.
 */
export function createMark(
  content: readonly ContentBlock[],
  marked: Marked & { readonly context?: string; readonly keep?: string },
  source: MessageSource,
): UserMessage {
  return { type: 'user', ...newMessage(source), content, metadata: { ...marked } }
}

/** Returns the id of the last message that a mark covers; `undefined` for other messages. */
export function markedThrough(message: Message, key: keyof Marked): string | undefined {
  return message.type === 'user' ? message.metadata?.[key] : undefined
}
