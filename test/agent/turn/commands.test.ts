import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/event.ts'
import type { Request } from '../../../src/provider.ts'
import { createReplayProvider } from '../../../src/replay/provider.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import {
  type AgentUnderTest,
  brief,
  calls,
  openAgent,
  play,
  recorded,
  resultsOf,
  round,
  says,
} from '../../support/conversations/agent.ts'
import { asks } from '../../support/conversations/questions.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { sent } from '../../support/messages/histories.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'

const steering = { ...user(text('the other file')), id: messageId(99) }

/** The texts of the messages in each request. */
function heard({ requests }: AgentUnderTest): readonly (readonly string[])[] {
  return requests.map(sent)
}

/** Sends the steering message at this event. */
function steerAt(agent: AgentUnderTest, at: string) {
  return play(agent, {
    see: (event) => {
      if (brief(event) === at) agent.engine.send({ type: 'steer', message: steering })
    },
  })
}

describe('a steering message', () => {
  it('sent while tools run follows their results in the same request', async () => {
    const executor = scriptedTools({ read: gives('one'), write: gives('two') })
    const made = [calls('tc_1', 'read'), calls('tc_2', 'write')]
    const agent = openAgent({ rounds: [round(...made), round(says('Done.'))], executor })
    const { events, turn } = await steerAt(agent, 'tool_start tc_1')
    expect(heard(agent)).toEqual([['hello'], ['hello', 'assistant', 'one', 'two', 'the other file']])
    expect(events).toContainEqual(expect.objectContaining({ type: 'message', message: steering }))
    expect(turn.messages).toContainEqual(steering)
    expect(turn.rounds).toBe(2)
  })

  it('sent during the last reply starts another round', async () => {
    const agent = openAgent({ rounds: [round(says('Done.')), round(says('Again.'))] })
    const { turn } = await steerAt(agent, 'text_delta Done.')
    expect(heard(agent)).toEqual([['hello'], ['hello', 'Done.', 'the other file']])
    expect(turn).toMatchObject({ rounds: 2, stopReason: 'end_turn' })
  })

  it('too late for its turn starts the next, and others follow in its first request', async () => {
    const agent = openAgent({ rounds: [round(says('Done.')), round(says('Again.'))] })
    const another = { ...user(text('and another')), id: messageId(98) }
    const { turn } = await play(agent, {
      see: (event) => {
        if (event.type !== 'turn_end') return
        for (const message of [steering, another]) agent.engine.send({ type: 'steer', message })
      },
    })
    expect([turn.rounds, turn.late]).toEqual([1, steering])
    const next = await play(agent, { message: steering })
    expect(heard(agent)).toEqual([['hello'], ['hello', 'Done.', 'the other file', 'and another']])
    expect(next.turn.late).toBeUndefined()
  })

  it('can be taken back only before it is delivered', async () => {
    const agent = openAgent({ rounds: [round(says('Done.')), round(says('Again.'))] })
    const takeBack = () => agent.engine.send({ type: 'take_back', messageId: steering.id })
    const { turn } = await play(agent, {
      see: (event) => {
        if (event.type !== 'text_delta') return
        agent.engine.send({ type: 'steer', message: steering })
        takeBack()
      },
    })
    expect([turn.rounds, turn.late]).toEqual([1, undefined])
    const errors: unknown[] = []
    await play(agent, {
      see: async (event) => {
        if (brief(event) === 'text_delta Again.') agent.engine.send({ type: 'steer', message: steering })
        if (brief(event) === 'message user') errors.push(await thrown(takeBack))
      },
    })
    expect(errors).toMatchObject([{ code: 'not_found' }])
  })

  it('of an interrupted turn is sent with the first request of the next', async () => {
    const agent = openAgent({ rounds: [round(says('Done.')), round(says('Again.'))] })
    const { turn } = await play(agent, {
      see: (event) => {
        if (event.type !== 'round_end') return
        agent.engine.send({ type: 'steer', message: steering })
        agent.engine.send({ type: 'interrupt' })
      },
    })
    expect(turn).toMatchObject({ rounds: 1, stopReason: 'aborted' })
    await play(agent, { message: user(text('And?')) })
    expect(heard(agent)).toEqual([['hello'], ['hello', 'Done.', 'And?', 'the other file']])
  })

  it('is refused if invalid', async () => {
    const { engine } = openAgent()
    expect(await thrown(() => engine.send({ type: 'steer', message: user() }))).toMatchObject({
      code: 'invalid',
      details: { field: 'content' },
    })
  })
})

describe('a change of the model', () => {
  it('applies from the next round on, and the new model gets the whole history', async () => {
    const requests: Request[] = []
    const script = { rounds: [round(says('unheard')), round(says('I am another.'))] }
    const played = createReplayProvider({ script, newId: countingIds(), clock: stillClock() })
    const other = recorded({ ...played, name: 'other' }, requests)
    const executor = scriptedTools({ read: gives('one') })
    const agent = openAgent({ rounds: [round(calls('tc_1', 'read'))], executor })
    const { events, turn } = await play(agent, {
      see: (event) => {
        if (event.type !== 'tool_start') return
        agent.engine.send({ type: 'set_model', choice: { provider: other, model: 'big', thinking: 'high' } })
      },
    })
    expect(events.filter(({ type }) => type === 'round_start')).toMatchObject([
      { provider: 'replay', model: 'script' },
      { provider: 'other', model: 'big' },
    ])
    expect(agent.requests).toHaveLength(1)
    expect(requests).toMatchObject([{ model: 'big', thinking: 'high', messages: turn.messages.slice(0, -1) }])
    expect(turn.messages[1]).toMatchObject({ type: 'assistant', provider: 'replay' })
    expect(turn.stopReason).toBe('end_turn')
  })
})

describe('a question', () => {
  const options = [
    { id: 'left', label: 'Left' },
    { id: 'right', label: 'Right' },
  ]
  const open = () =>
    openAgent({
      rounds: [round(calls('tc_1', 'ask')), round(says('Done.'))],
      executor: scriptedTools({ ask: asks('Which way?', { kind: 'select', options }) }),
    })
  const respond = ({ engine }: AgentUnderTest, event: AgentEvent, selectedOptionId: string) => {
    if (event.type !== 'interaction_requested') return
    const interactionId = event.interaction.id
    engine.send({ type: 'respond', response: { interactionId, answeredBy: 'user_test', selectedOptionId } })
  }

  it('is answered before the next pull', async () => {
    const agent = open()
    const { events, turn } = await play(agent, { see: (event) => respond(agent, event, 'left') })
    expect(resultsOf(turn.messages)).toEqual(['tc_1: left'])
    expect(events.map(brief).filter((line) => /interaction|tool_(start|end)/.test(line))).toEqual([
      'tool_start tc_1',
      'interaction_requested',
      'interaction_responded',
      'tool_end tc_1',
    ])
    expect(events.find(({ type }) => type === 'interaction_responded')).toMatchObject({
      response: { answeredBy: 'user_test', selectedOptionId: 'left' },
    })
  })

  it('does not count towards the duration of its tool', async () => {
    const clock = createHandClock()
    const agent = openAgent({
      clock,
      rounds: [round(calls('tc_1', 'ask')), round(says('Done.'))],
      executor: scriptedTools({ ask: asks('Which way?', { kind: 'select', options }) }),
    })
    const { events } = await play(agent, {
      see: (event) => {
        if (event.type === 'tool_start') clock.advance(3)
        if (event.type === 'interaction_requested') clock.advance(60_000)
        respond(agent, event, 'left')
      },
    })
    expect(events.find(({ type }) => type === 'tool_end')).toMatchObject({ durationMs: 3 })
  })

  it('is answered after the next pull', async () => {
    const agent = open()
    const { turn } = await play(agent, {
      see: (event) => {
        setImmediate(() => respond(agent, event, 'right'))
      },
    })
    expect(resultsOf(turn.messages)).toEqual(['tc_1: right'])
  })

  it('accepts only one answer', async () => {
    const agent = open()
    const errors: unknown[] = []
    const { turn } = await play(agent, {
      see: async (event) => {
        respond(agent, event, 'left')
        if (event.type === 'interaction_requested') {
          errors.push(await thrown(() => respond(agent, event, 'right')))
        }
      },
    })
    expect(errors).toMatchObject([{ code: 'conflict' }])
    expect(resultsOf(turn.messages)).toEqual(['tc_1: left'])
  })

  it('cannot be answered if never asked or if its turn is over', async () => {
    const agent = open()
    const interactionId = countingIds().interaction()
    const response = { interactionId, answeredBy: 'user_test', selectedOptionId: 'left' }
    const send = () => agent.engine.send({ type: 'respond', response })
    expect(await thrown(send)).toMatchObject({ code: 'not_found' })
    const { events } = await play(agent, { see: (event) => respond(agent, event, 'left') })
    expect(events).toContainEqual(
      expect.objectContaining({ interaction: expect.objectContaining({ id: interactionId }) }),
    )
    expect(await thrown(send)).toMatchObject({ code: 'not_found' })
  })

  it('stays open after an invalid answer', async () => {
    const agent = open()
    const errors: unknown[] = []
    const { turn } = await play(agent, {
      see: async (event) => {
        if (event.type !== 'interaction_requested') return
        errors.push(await thrown(() => respond(agent, event, 'up')))
        respond(agent, event, 'right')
      },
    })
    expect(errors).toMatchObject([{ code: 'invalid', message: 'no option up: choose left, right' }])
    expect(resultsOf(turn.messages)).toEqual(['tc_1: right'])
  })
})

describe('a second turn', () => {
  it('is refused while one runs, without disturbing it', async () => {
    const agent = openAgent({ rounds: [round(says('Done.'))] })
    const errors: unknown[] = []
    const { turn } = await play(agent, {
      see: async (event) => {
        if (event.type === 'text_delta') errors.push(await thrown(() => play(agent)))
      },
    })
    expect(errors).toMatchObject([{ code: 'conflict' }])
    expect(turn.stopReason).toBe('end_turn')
    expect(agent.requests).toHaveLength(1)
  })

  it('runs after an invalid message', async () => {
    const agent = openAgent({ rounds: [round(says('Done.'))] })
    expect(await thrown(() => play(agent, { message: user(text(' \n')) }))).toMatchObject({ code: 'invalid' })
    expect(agent.journal).toEqual([])
    expect((await play(agent)).turn.stopReason).toBe('end_turn')
  })
})
