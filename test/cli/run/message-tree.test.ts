import { expect, it } from 'vitest'
import { messageTreeOf, turnsSince } from '../../../src/cli/run/message-tree.ts'
import type { UndoableTurn } from '../../../src/git/checkpoints/undo.ts'
import type { Message } from '../../../src/message.ts'
import {
  assistant,
  call,
  messageId,
  text,
  timestamp,
  toolResult,
  user,
} from '../../support/messages/messages.ts'

/** A question with two answers: the second is on the current branch. */
const messages: readonly Message[] = [
  { ...user(text('Build it')), id: messageId(1) },
  { ...assistant(text('Sure.'), call('a')), id: messageId(2) },
  { ...toolResult('a', text('seen')), id: messageId(3) },
  { ...assistant(text('Built.')), id: messageId(4) },
  { ...user(text('Paint it')), id: messageId(5) },
  { ...assistant(text('Red.')), id: messageId(6) },
  { ...user(text('Paint it blue')), id: messageId(7), parentId: messageId(4) },
  { ...user(text('[summary]')), id: messageId(8), metadata: { branch_summary: messageId(6) } },
  { ...assistant(text('Blue.')), id: messageId(9) },
]

function turn(message: number): UndoableTurn {
  return { side: 'undo', label: '', at: 0, session: 'work', message: messageId(message) }
}

it('the places of a conversation are its messages, without results and summaries', () => {
  const place = (id: number, role: string, words: string, more: object = {}) => {
    return { messageId: messageId(id), role, text: words, timestamp, depth: 0, isCurrent: true, ...more }
  }
  expect(messageTreeOf({ messages }, [turn(7), turn(1)])).toEqual([
    place(1, 'user', 'Build it', { turns: 2 }),
    place(2, 'assistant', 'Sure. • read auth.ts', { turns: 1 }),
    place(4, 'assistant', 'Built.', { turns: 1 }),
    place(5, 'user', 'Paint it', { isCurrent: false, turns: 1 }),
    place(6, 'assistant', 'Red.', { isCurrent: false, turns: 1 }),
    place(7, 'user', 'Paint it blue', { depth: 1, turns: 1 }),
    place(9, 'assistant', 'Blue.', { depth: 1 }),
  ])
})

it('a turn whose message is unknown ends the turns that can be undone', () => {
  const unknown: UndoableTurn = { side: 'undo', label: '', at: 0, session: 'work' }
  const since = (message: number, ...turns: readonly UndoableTurn[]) => {
    const place = messages.find(({ id }) => id === messageId(message))
    return place && turnsSince(place, { messages }, turns)
  }
  expect([since(1, turn(7), unknown, turn(1)), since(1, unknown), since(7, turn(7), turn(5))]).toEqual([
    1, 0, 1,
  ])
})
