import { expect, it } from 'vitest'
import { inCallOrder } from '../../src/history/call-order.ts'
import { assistant, call, text, toolResult, user } from '../support/messages/messages.ts'

it('puts results into the order of their calls, and leaves all else as it is', () => {
  const [one, two, three] = ['a', 'b', 'c'].map((id) => toolResult(id, text(id)))
  const lost = toolResult('lost', text('lost'))
  if (one === undefined || two === undefined || three === undefined) throw new Error('no results')
  const first = assistant(call('a'), call('b'), call('c'))
  const saved = [user(text('hi')), first, three, lost, one, two, assistant(text('Done.')), user(text('and?'))]
  expect(inCallOrder(saved)).toEqual([saved[0], first, one, two, three, lost, saved[6], saved[7]])
  expect(inCallOrder([])).toEqual([])
})
