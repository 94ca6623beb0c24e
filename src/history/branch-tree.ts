import type { Message } from '../message.ts'
import type { Session } from '../session.ts'
import { branchOf, parentsOf } from './branch.ts'

/** A message in the tree of a session's branches. */
export interface BranchNode {
  readonly message: Message
  /** The shown message that it follows. */
  readonly parent: Message | undefined
  /** Counts the branchings above it that it is not the first child of. */
  readonly depth: number
  /** Whether it belongs to the current branch. */
  readonly isCurrent: boolean
}

/** Lists the shown messages, each below the one it follows. Indents all but the first of several that follow one message. */
export function branchTreeOf(
  session: Pick<Session, 'messages' | 'head'>,
  isShown: (message: Message) => boolean,
): readonly BranchNode[] {
  const current = new Set(branchOf(session))
  const parents = shownParents(session.messages, isShown)
  const children = new Map<Message | undefined, Message[]>()
  for (const [message, parent] of parents) {
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [message])
    else siblings.push(message)
  }
  const nodes: BranchNode[] = []
  const left: Omit<BranchNode, 'isCurrent'>[] = below(undefined, 0)
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    nodes.push({ ...next, isCurrent: current.has(next.message) })
    left.push(...below(next.message, next.depth))
  }
  return nodes

  /** Returns the messages that follow one, the last first. */
  function below(parent: Message | undefined, depth: number): Omit<BranchNode, 'isCurrent'>[] {
    const found = children.get(parent) ?? []
    const placed = found.map((message, i) => ({ message, parent, depth: i === 0 ? depth : depth + 1 }))
    return placed.reverse()
  }
}

/** Returns each shown message with the nearest shown message above it. */
function shownParents(
  messages: readonly Message[],
  isShown: (message: Message) => boolean,
): ReadonlyMap<Message, Message | undefined> {
  const parents = parentsOf(messages)
  const nearest = new Map<Message, Message | undefined>()
  const shown = new Map<Message, Message | undefined>()
  // A parent stands before its children, so its own nearest shown message is known.
  for (const message of messages) {
    const parent = parents.get(message)
    const above = parent === undefined || isShown(parent) ? parent : nearest.get(parent)
    nearest.set(message, above)
    if (isShown(message)) shown.set(message, above)
  }
  return shown
}
