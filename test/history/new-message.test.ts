import { expect, it } from 'vitest'
import { textMessage } from '../../src/history/new-message.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { countingIds } from '../support/messages/ids.ts'
import { timestamp } from '../support/messages/messages.ts'

it('a message of a text has an id of its own and the time', () => {
  const source = { newId: countingIds(), clock: stillClock() }
  const [first, second] = [textMessage('Hi', source), textMessage('Hi', source)]
  expect(first).toEqual({ type: 'user', id: first.id, timestamp, content: [{ type: 'text', text: 'Hi' }] })
  expect(second.id).not.toBe(first.id)
})
