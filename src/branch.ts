import type { MessageId } from './id.ts'
import type { Message } from './message.ts'
import type { Session } from './session.ts'

/**
 * Returns the messages that lead to the session's head, oldest first: of the current branch, and of no other. Each message follows its
 * parent, or the one before it if it names none. Default head: the last message.
 */
export function branchOf({ messages, head }: Pick<Session, 'messages' | 'head'>): readonly Message[] {
  const last = messages.length - 1
  const positions = new Map(messages.map(({ id }, i) => [id, i]))
  const end = head === undefined ? last : (positions.get(head) ?? last)
  if (messages.every(({ parentId }) => parentId === undefined)) return messages.slice(0, end + 1)
  const branch: Message[] = []
  for (let at = end; at >= 0; ) {
    const message = messages[at]
    if (message === undefined) break
    branch.push(message)
    at = parentPosition(message, at, positions)
  }
  return branch.reverse()
}

/** Returns -1 for the first message, and for one whose parent is lost or stands behind it. */
function parentPosition(
  { parentId }: Message,
  at: number,
  positions: ReadonlyMap<MessageId, number>,
): number {
  if (parentId === undefined) return at - 1
  const found = positions.get(parentId) ?? -1
  return found < at ? found : -1
}
