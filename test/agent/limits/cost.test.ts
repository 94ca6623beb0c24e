import { describe, expect, it } from 'vitest'
import { openSpending } from '../../../src/agent/limits/budget.ts'
import type { AgentEvent } from '../../../src/event.ts'
import { openAgent, play } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'
import { answers, choose, failsWith, uses } from '../../support/models/choices.ts'

/** A dollar for each input token, two for each output token. */
const info = { price: { input: 1_000_000, output: 2_000_000 } }
const usage = { inputTokens: 10, outputTokens: 5 }
const wasted = { inputTokens: 7, outputTokens: 1 }
const both = { inputTokens: 17, outputTokens: 6 }

const tokens = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) =>
  [inputTokens, outputTokens] as const

/** The cost in the ends of rounds and turns. */
function ends(events: readonly AgentEvent[]) {
  return events.flatMap((event) =>
    event.type === 'round_end' || event.type === 'turn_end'
      ? [[event.type, ...tokens(event.usage), event.costUsd] as const]
      : [],
  )
}

describe('the cost of a model', () => {
  it('is reported for each round, the turn, each message and the session', async () => {
    const model = choose('a/big', [uses('tc_1', 'read'), answers('Done.')], info)
    const agent = openAgent({ model, executor: scriptedTools({ read: gives('text') }) })
    const { events, turn } = await play(agent)
    expect(ends(events)).toEqual([
      ['round_end', 10, 5, 20],
      ['round_end', 10, 5, 20],
      ['turn_end', 20, 10, 40],
    ])
    expect(turn.costUsd).toBe(40)
    expect(agent.engine.costUsd).toBe(40)
    expect(agent.saved.map(({ metadata }) => metadata)).toEqual([
      undefined,
      { cost_usd: '20' },
      undefined,
      { cost_usd: '20' },
    ])
    expect(agent.states.map(({ costUsd }) => costUsd)).toEqual([undefined, 20, 20, 40])
  })

  it('is decimal text in a message, even if tiny', async () => {
    const price = { input: 0.04, output: 0.1 }
    const model = choose('a/small', [answers('1', usage), answers('2', { ...usage, inputTokens: 5e6 })], {
      price,
    })
    const agent = openAgent({ model })
    await play(agent)
    await play(agent)
    expect(agent.saved.flatMap(({ metadata }) => metadata?.['cost_usd'] ?? [])).toEqual([
      '0.0000009',
      '0.2000005',
    ])
  })

  it('adds to the earlier cost of the session', async () => {
    const model = choose('a/big', [answers('Done.')], info)
    const agent = openAgent({ model, spending: openSpending({}, { usage, costUsd: 0.5 }) })
    expect([agent.engine.usage, agent.engine.costUsd]).toEqual([usage, 0.5])
    const { turn } = await play(agent)
    expect([turn.costUsd, agent.engine.costUsd]).toEqual([20, 20.5])
    expect(agent.states).toEqual([
      { usage, costUsd: 0.5, head: messageId(1), model: 'a/big', pending: [], title: 'hello' },
      {
        usage: { inputTokens: 20, outputTokens: 10 },
        costUsd: 20.5,
        head: messageId(1),
        model: 'a/big',
        pending: [],
      },
    ])
  })

  it('counts failed tries, each at its price', async () => {
    const long = { above: 8, input: 2_000_000, output: 2_000_000 }
    const model = choose('a/big', [failsWith('overloaded', { usage: wasted }), answers('Done.')], {
      price: { ...info.price, long },
    })
    const agent = openAgent({ model })
    const { events, turn } = await play(agent)
    expect(ends(events)).toEqual([
      ['round_end', ...tokens(both), 9 + 30],
      ['turn_end', ...tokens(both), 39],
    ])
    expect(turn.usage).toEqual(both)
    expect(turn.messages.at(-1)).toMatchObject({ usage, metadata: { cost_usd: '30' } })
    expect([agent.engine.usage, agent.engine.costUsd]).toEqual([both, 39])
  })

  it('counts a cut reply', async () => {
    const model = choose('a/big', [failsWith('invalid', { usage: wasted })], info)
    const { turn } = await play(openAgent({ model }))
    expect(turn).toMatchObject({ stopReason: 'error', usage: wasted, costUsd: 9 })
  })

  it('counts an abandoned reply', async () => {
    const model = choose(
      'a/big',
      [
        async function* () {
          yield { type: 'usage', usage: wasted }
          for (;;) yield { type: 'text_delta', id: 'b', delta: 'and on ' }
        },
      ],
      info,
    )
    const agent = openAgent({ model })
    for await (const event of agent.engine.submit(user(text('hello')), new AbortController())) {
      if (event.type === 'text_delta') break
    }
    expect([agent.engine.usage, agent.engine.costUsd]).toEqual([wasted, 9])
  })

  it('is left out if the price is unknown', async () => {
    const agent = openAgent({ model: choose('a/big', [answers('Done.')], {}) })
    const { events, turn } = await play(agent)
    expect(ends(events)).toEqual([
      ['round_end', 10, 5, undefined],
      ['turn_end', 10, 5, undefined],
    ])
    expect([turn, ...events, ...agent.states].filter((value) => 'costUsd' in value)).toEqual([])
    expect(agent.saved.filter((message) => 'metadata' in message)).toEqual([])
    expect(agent.engine.costUsd).toBeUndefined()
  })

  it('sums the known prices if another model of the turn has none', async () => {
    const agent = openAgent({
      model: choose('a/big', [uses('tc_1', 'read')], info),
      executor: scriptedTools({ read: gives('text') }),
    })
    const { events, turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'tool_end')
          agent.engine.send({ type: 'set_model', choice: choose('b/free', [answers('Done.')]) })
      },
    })
    expect(ends(events)).toEqual([
      ['round_end', 10, 5, 20],
      ['round_end', 10, 5, undefined],
      ['turn_end', 20, 10, 20],
    ])
    expect(turn).toMatchObject({ stopReason: 'end_turn', costUsd: 20 })
  })
})
