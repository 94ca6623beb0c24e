import { oneLine } from '../../characters/one-line.ts'
import type { TreeMessage } from '../../frontend/conversation-view.ts'
import type { UndoableTurn } from '../../git/checkpoints/undo.ts'
import { branchTreeOf } from '../../history/branch-tree.ts'
import type { MessageId } from '../../id.ts'
import { describeCall } from '../../line/tool-line.ts'
import { isLoopMessage, type Message, spokenText, toolCalls } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Session } from '../../session.ts'

/** Whether a user can go to a message: the user or the model wrote it. */
export function isTreeMessage(message: Message): boolean {
  return message.type !== 'tool_result' && !isLoopMessage(message)
}

/** Lists the places of a conversation. `undoable`: the turns whose file changes can be undone, newest first. */
export function messageTreeOf(
  session: Pick<Session, 'messages' | 'head'>,
  undoable: readonly UndoableTurn[],
): readonly TreeMessage[] {
  const positions = positionsOf(session)
  return branchTreeOf(session, isTreeMessage).map(({ message, depth, isCurrent }) => {
    const turns = countTurns(message, undoable, positions)
    return {
      messageId: message.id,
      role: message.type === 'user' ? 'user' : 'assistant',
      text: lineOf(message),
      timestamp: message.timestamp,
      depth,
      isCurrent,
      ...omitUndefined({ turns: turns === 0 ? undefined : turns }),
    }
  })
}

/** Counts the newest turns that began at a user's message or behind another one, and whose file changes can be undone. */
export function turnsSince(
  message: Message,
  session: Pick<Session, 'messages'>,
  undoable: readonly UndoableTurn[],
): number {
  return countTurns(message, undoable, positionsOf(session))
}

type Positions = ReadonlyMap<string, number>

function positionsOf({ messages }: Pick<Session, 'messages'>): Positions {
  return new Map(messages.map(({ id }, i): [MessageId, number] => [id, i]))
}

function countTurns(message: Message, undoable: readonly UndoableTurn[], positions: Positions): number {
  const at = positions.get(message.id) ?? 0
  const first = message.type === 'user' ? at : at + 1
  const older = undoable.findIndex(({ message: id = '' }) => (positions.get(id) ?? -1) < first)
  return older === -1 ? undoable.length : older
}

/** Characters of a message that are shown. */
const width = 60

/** Returns the first words of a message and its calls, in one line. */
export function lineOf(message: Message): string {
  const said = spokenText(message)
  const calls = toolCalls(message).map(({ name, arguments: args }) => `• ${describeCall(name, args)}`)
  return oneLine([said, ...calls].join(' '), width)
}
