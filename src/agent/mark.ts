import type { Clock } from '../clock.ts'
import type { MessageId, NewId } from '../id.ts'
import type { ContentBlock, Message, UserMessage } from '../message.ts'

/** Up to which message something holds: the id of the last one. */
export interface Marked {
  /** The mark stands for these messages. */
  readonly compacted_through?: MessageId
  /** What tools put out in these messages is sent as notes. */
  readonly pruned_through?: MessageId
}

/**
 * A message that says, in its metadata, what is sent of the history before it. The first `context` blocks of its content are the
 * environment, the next is what it has to say, the others are a request that goes on.
 */
export function createMark(
  content: readonly ContentBlock[],
  marked: Marked & { readonly context?: string },
  { newId, clock }: { readonly newId: NewId; readonly clock: Clock },
): UserMessage {
  const timestamp = new Date(clock.now()).toISOString()
  return { type: 'user', id: newId.message(), content, timestamp, metadata: { ...marked } }
}

export function isMark(message: Message): boolean {
  return (['compacted_through', 'pruned_through'] as const).some((key) => markedThrough(message, key))
}

/** The id of the last message for which a mark says this, if it is one. */
export function markedThrough(message: Message, key: keyof Marked): string | undefined {
  return message.type === 'user' ? message.metadata?.[key] : undefined
}
