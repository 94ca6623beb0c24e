import { PipeError } from '../error.ts'
import { beforeFirst, type MessageId } from '../id.ts'
import { type Message, toolCalls } from '../message.ts'
import type { Session } from '../session.ts'

/**
 * Returns the messages that lead to the session's head, oldest first: of the current branch, and of no other. Each message follows its
 * parent, or the one before it if it names none. Default head: the last message; none if the head is `beforeFirst`.
 */
export function branchOf({ messages, head }: Pick<Session, 'messages' | 'head'>): readonly Message[] {
  const last = messages.length - 1
  const positions = new Map(messages.map(({ id }, i) => [id, i]))
  if (head === beforeFirst) return []
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

/** Returns the head of a session whose current branch is this one. */
export function headOf(branch: readonly Message[]): MessageId {
  return branch.at(-1)?.id ?? beforeFirst
}

/** Returns the message that each message follows; none for the first, and for one whose parent is lost. */
export function parentsOf(messages: readonly Message[]): ReadonlyMap<Message, Message> {
  const positions = new Map(messages.map(({ id }, i) => [id, i]))
  const parents = new Map<Message, Message>()
  for (const [at, message] of messages.entries()) {
    const parent = messages[parentPosition(message, at, positions)]
    if (parent !== undefined) parents.set(message, parent)
  }
  return parents
}

/** Returns -1 for a first message, and for one whose parent is lost or stands behind it. */
function parentPosition(
  { parentId }: Message,
  at: number,
  positions: ReadonlyMap<MessageId, number>,
): number {
  if (parentId === undefined) return at - 1
  const found = positions.get(parentId) ?? -1
  return found < at ? found : -1
}

/**
 * Returns the messages of a branch up to the one whose id begins with `text`, ready to be continued: with the results of its calls, or
 * without it if the user wrote it, as the next prompt takes its place. Throws `input` unless exactly one message matches.
 */
export function branchUpTo({ messages }: Pick<Session, 'messages'>, text: string): readonly Message[] {
  const [found, second] = messages.filter(({ id }) => id.startsWith(text))
  if (found === undefined) throw new PipeError('input', `no message of the session begins with ${text}`)
  if (second !== undefined) throw new PipeError('input', `several messages begin with ${text}`)
  const reply = found.type === 'tool_result' ? replyOf(found, messages) : found
  const branch = branchOf({ messages, head: reply.id })
  return reply.type === 'user' ? branch.slice(0, -1) : [...branch, ...resultsOf(reply, messages)]
}

/** Returns the reply whose call a result answers; the result itself if that is lost. */
function replyOf(result: Message, messages: readonly Message[]): Message {
  return branchOf({ messages, head: result.id }).findLast(({ type }) => type !== 'tool_result') ?? result
}

/** Returns the first result of each call of a reply. */
function resultsOf(reply: Message, messages: readonly Message[]): readonly Message[] {
  const open = new Set(toolCalls(reply).map(({ id }) => id))
  const after = messages.slice(messages.indexOf(reply) + 1)
  return after.filter((message) => message.type === 'tool_result' && open.delete(message.toolCallId))
}
