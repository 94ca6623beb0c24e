import { expect, it } from 'vitest'
import type { Driver } from '../../../src/agent/conversation/driver.ts'
import { textContent } from '../../../src/message.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { calls, openAgent, round, says } from '../../support/conversations/agent.ts'
import { driven } from '../../support/conversations/driven.ts'
import { asks } from '../../support/conversations/questions.ts'
import { scriptedTools, waits } from '../../support/conversations/scripted-tools.ts'
import { countingIds, otherIds } from '../../support/messages/ids.ts'
import { assistant, call, messageId, text, user } from '../../support/messages/messages.ts'

const question = {
  id: otherIds().interaction(),
  kind: 'input',
  purpose: 'generic',
  display: { title: 'Which way?' },
} as const
const messages = [user(text('hello')), { ...assistant(call('tc_1', 'ask')), stopReason: 'tool_use' as const }]
const first = { ...user(text('first')), id: messageId(70) }
const second = { ...user(text('second')), id: messageId(71) }

/** Opens a conversation whose earlier run has left a question. */
function leftAtQuestion(): Driver {
  const { conversation } = openAgent({
    rounds: [round(calls('tc_1', 'ask')), round(says('Done.')), round(says('And that.'))],
    executor: scriptedTools({ ask: asks('Which way?') }),
    messages,
    pending: [{ callId: 'tc_1', subject: 'other', interaction: question }],
  })
  return driven(conversation)
}

/** Waits for the question, answers it, and waits until nothing goes on. */
async function answerQuestion(shared: Driver): Promise<void> {
  for await (const watched of shared.watch()) {
    const asked =
      watched.type === 'snapshot'
        ? watched.snapshot.questions[0]
        : watched.type === 'event' && watched.event.type === 'interaction_requested'
          ? watched.event.interaction
          : undefined
    if (asked !== undefined)
      await shared.respond({ interactionId: asked.id, answeredBy: 'user_ann', inputValue: 'left' })
    if (watched.type === 'settled') return
  }
}

function texts(shared: Driver): readonly string[] {
  return shared.messages.slice(messages.length).map(textContent)
}

it('messages are taken while a question of an earlier run is open, and follow its answer', async () => {
  const shared = leftAtQuestion()
  expect([await shared.send(first), await shared.send(second)]).toEqual(['steering', 'steering'])
  expect(shared.queue.map(({ text: words }) => words)).toEqual(['first', 'second'])
  await answerQuestion(shared)
  expect(texts(shared)).toEqual(['left', 'first', 'second', 'Done.'])
  await shared.close()
})

it('a message sent at an open question can be taken back', async () => {
  const shared = leftAtQuestion()
  await shared.send(first)
  await shared.takeBack(first.id)
  await answerQuestion(shared)
  expect([texts(shared), shared.queue]).toEqual([['left', 'Done.'], []])
  await shared.close()
})

it('a message for a turn of its own waits for the turn of an open question', async () => {
  const shared = leftAtQuestion()
  expect(await shared.send(first, 'later')).toBe('queued')
  await answerQuestion(shared)
  expect(texts(shared)).toEqual(['left', 'Done.', 'first', 'And that.'])
  await shared.close()
})

/** Sends a message into a turn that lasts until `finish`. The message is on disk after `write`. */
async function sentIntoTurn() {
  const [finished, written, begun] = [deferred(), deferred(), deferred()]
  const wait = waits(finished.promise, { before: 'waiting', text: 'over' })
  const { conversation } = openAgent({
    rounds: [round(calls('tc_1', 'wait')), ...['One.', 'Two.', 'Three.'].map((words) => round(says(words)))],
    executor: scriptedTools({ wait }),
  })
  const write = () => {
    begun.resolve()
    return written.promise
  }
  const queue = { sessionId: countingIds().session(), store: { write }, left: [] }
  const shared = driven(conversation, { queue })
  const turn = shared.run(user(text('hello')))
  const sent = shared.send(first)
  await begun.promise
  return { shared, turn, sent, finish: finished.resolve, write: written.resolve }
}

function said(shared: Driver): readonly string[] {
  return shared.messages.flatMap((message) => (message.type === 'tool_result' ? [] : textContent(message)))
}

it('a message is delivered once if the turn that it was sent into ends while it is written', async () => {
  const { shared, turn, sent, finish, write } = await sentIntoTurn()
  finish()
  await turn
  write()
  expect(await sent).toBe('steering')
  for await (const watched of shared.watch()) if (watched.type === 'settled') break
  expect([said(shared), shared.queue]).toEqual([['hello', '', 'One.', 'first', 'Two.'], []])
  await shared.close()
})

it('a message that is taken back while it is written is not delivered', async () => {
  const { shared, turn, sent, finish, write } = await sentIntoTurn()
  const takenBack = shared.takeBack(first.id)
  write()
  await Promise.all([sent, takenBack])
  finish()
  await turn
  expect([said(shared), shared.queue]).toEqual([['hello', '', 'One.'], []])
  await shared.close()
})
