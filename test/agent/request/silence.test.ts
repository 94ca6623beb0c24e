import { describe, expect, it } from 'vitest'
import { exitCodes } from '../../../src/error.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import type { AdapterEvent } from '../../../src/reply/accumulator.ts'
import type { Adapter } from '../../../src/stream.ts'
import type { StopReason } from '../../../src/usage.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { openAgent, play } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'
import { answers, choose, uses } from '../../support/models/choices.ts'

const executor = scriptedTools({ read: gives('text') })

/** A reply of these events. */
function says(
  events: readonly AdapterEvent[],
  stopReason: StopReason = 'end_turn',
  rawStopReason?: string,
): Adapter {
  return async function* () {
    yield* events
    return { stopReason, ...omitUndefined({ rawStopReason }) }
  }
}

const thinks = says([{ type: 'thinking_delta', id: 'b0', delta: 'Hm.' }])
const blanks: AdapterEvent = { type: 'text_delta', id: 'b0', delta: ' \n' }
/** Silences that are fine once the work is done. */
const plain: readonly (readonly [string, Adapter])[] = [
  ['nothing', says([], 'end_turn', 'stop')],
  ['blanks alone', says([blanks])],
]
const strange: readonly (readonly [string, Adapter])[] = [
  ['nothing and no stop reason', says([], 'unknown')],
  ['nothing and an unknown stop reason', says([], 'unknown', 'sleepy')],
  ['blanks and no stop reason', says([blanks], 'unknown')],
  ['a word for calls without a call', says([], 'end_turn', 'tool_calls')],
  ['thoughts alone', thinks],
]
const silences = [...plain, ...strange]

async function run(...adapters: readonly Adapter[]) {
  const slept: number[] = []
  const model = choose('a/big', adapters)
  const agent = openAgent({ model, executor, clock: stillClock(slept) })
  return { agent, model, slept, ...(await play(agent)) }
}

describe('a model that owes an answer', () => {
  it.each(silences)('is asked once more after %s', async (_, silent) => {
    const { turn, events, slept } = await run(silent, answers('Here.'))
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    expect(turn).not.toHaveProperty('error')
    const shown = events.flatMap((event) => ('delta' in event && event.delta !== 'Here.' ? [event.id] : []))
    expect(events.filter(({ type }) => type === 'retry')).toMatchObject([
      { attempt: 1, reason: 'the model said nothing', waitMs: 500, discarded: shown },
    ])
    expect(slept).toEqual([500])
    expect(turn.messages.map(({ content }) => content)).toEqual([[text('hello')], [text('Here.')]])
  })

  it.each(silences)('ends the turn with an error after %s twice', async (_, silent) => {
    const { turn, model } = await run(silent, silent)
    expect(turn).toMatchObject({
      stopReason: 'error',
      rounds: 1,
      error: {
        code: 'protocol',
        message: expect.stringMatching(/^the model said nothing, even when asked twice; /),
      },
    })
    expect(model.requests).toHaveLength(2)
  })

  it.each(['refusal', 'length'] as const)(
    'is not asked again after the stop reason %s',
    async (stopReason) => {
      const { turn, slept } = await run(says([], stopReason))
      expect([turn.stopReason, turn.error, slept]).toEqual([stopReason, undefined, []])
    },
  )

  it('may answer with a call', async () => {
    const { turn, slept } = await run(uses('tc_1', 'read'), answers('Done.'))
    expect([turn.stopReason, slept]).toEqual(['end_turn', []])
  })
})

describe('a model that has done its work', () => {
  it.each(plain)('may end with %s', async (_, silent) => {
    const { turn, slept } = await run(uses('tc_1', 'read'), silent)
    expect(turn.error).toBeUndefined()
    expect([turn.rounds, slept]).toEqual([2, []])
  })

  it.each(strange)('is asked once more after %s', async (_, silent) => {
    const { turn, slept } = await run(uses('tc_1', 'read'), silent, answers('Done.'))
    expect(turn.error).toBeUndefined()
    expect([turn.stopReason, turn.rounds, slept]).toEqual(['end_turn', 2, [500]])
    expect(turn.messages.at(-1)?.content).toEqual([text('Done.')])
  })

  it.each(strange)('ends the turn with an error after %s twice', async (_, silent) => {
    const { turn } = await run(uses('tc_1', 'read'), silent, silent)
    expect(turn).toMatchObject({ stopReason: 'error', rounds: 2, error: { code: 'protocol' } })
    expect(exitCodes.protocol).toBe(51)
  })

  it('must answer a steering message', async () => {
    const message = { ...user(text('and the other?')), id: messageId(99) }
    const model = choose('a/big', [uses('tc_1', 'read'), thinks, answers('That too.')])
    const agent = openAgent({ model, executor, clock: stillClock() })
    const { turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'tool_end') agent.engine.send({ type: 'steer', message })
      },
    })
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 2 })
    expect(model.requests).toHaveLength(3)
  })
})
