import { expect, it } from 'vitest'
import type { Message } from '../../src/message.ts'
import { turnsOf, turnsUntil } from '../../src/replay/recorded-turns.ts'
import { assistant, call, text, toolResult, user } from '../support/messages/messages.ts'

const [one, two, three] = [user(text('one')), user(text('two')), user(text('three'))]
const calls = { ...assistant(call('a')), stopReason: 'tool_use' } as const
const result = toolResult('a', text('ok'))
const answer = assistant(text('done'))
const never = () => false

it('a message after complete results belongs to the turn that runs', () => {
  const messages = [one, calls, result, two, answer, three]
  expect(turnsOf(messages, never)).toEqual([
    {
      message: one,
      steering: [{ afterRound: 1, message: two }],
      replies: [calls, answer],
      messages: [one, calls, result, two, answer],
    },
    { message: three, steering: [], replies: [], messages: [three] },
  ])
})

it('a message that begins a run, or follows a call without a result, begins a turn', () => {
  const begins = (messages: readonly Message[], startsRun: (message: Message) => boolean) =>
    turnsOf(messages, startsRun).map(({ message }) => message)
  expect(begins([one, calls, result, two, answer], (message) => message === two)).toEqual([one, two])
  expect(begins([one, calls, two, answer], never)).toEqual([one, two])
})

it('turns end before the message after the last one wanted', () => {
  const turns = turnsOf([one, calls, result, two, answer, three], never)
  const kept = (count: number) => turnsUntil(turns, count).map(({ messages }) => messages)
  expect([kept(1), kept(2), kept(3)]).toEqual([
    [[one, calls, result]],
    [[one, calls, result, two, answer]],
    [[one, calls, result, two, answer], [three]],
  ])
})
