import { describe, expect, it } from 'vitest'
import { openSpending } from '../../../src/agent/limits/budget.ts'
import { interruptedText as interrupted } from '../../../src/agent/turn/repair.ts'
import type { Limits } from '../../../src/engine.ts'
import { textContent } from '../../../src/message.ts'
import { validateHistory } from '../../../src/provider.ts'
import type { Adapter } from '../../../src/stream.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { brief, openAgent, play, resultsOf } from '../../support/conversations/agent.ts'
import { gives, scriptedTools, waits } from '../../support/conversations/scripted-tools.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'
import { answers, choose, failsWith, uses } from '../../support/models/choices.ts'

const never = new Promise<void>(() => undefined)

/** A reply costs 20 dollars and 15 tokens. */
const price = { input: 1_000_000, output: 2_000_000 }

/** A model that calls a tool, calls it again, and is done. */
function openLimited(limits: Limits) {
  const model = choose('a/big', [uses('tc_1', 'read'), uses('tc_2', 'read'), answers('Done.')], { price })
  const executor = scriptedTools({ read: gives('text') })
  return { model, ...openAgent({ model, executor, limits }) }
}

describe('a limit', () => {
  it.each([
    [{ maxCostUsd: 40 }, { limit: 'cost', spent: '40', allowed: '40' }, 'spent $40 of $40'],
    [{ maxCostUsd: 20.5 }, { limit: 'cost', spent: '40', allowed: '20.5' }, 'spent $40 of $20.5'],
    [{ maxTokens: 30 }, { limit: 'tokens', spent: '30', allowed: '30' }, 'spent 30 of 30 tokens'],
  ])('of %j ends the turn before another round and keeps the work', async (limits, details, reason) => {
    const agent = openLimited(limits)
    const { events, turn } = await play(agent)
    expect(turn).toMatchObject({
      stopReason: 'error',
      rounds: 2,
      costUsd: 40,
      error: { code: 'budget', details },
    })
    expect(turn.error?.message).toBe(
      `stopped at the ${details.limit.replace('tokens', 'token')} limit: ${reason}; raise the limit to continue`,
    )
    expect(resultsOf(turn.messages)).toEqual(['tc_1: text', 'tc_2: text'])
    expect(agent.saved).toEqual(turn.messages)
    expect(events.slice(-3).map(brief)).toEqual(['round_end tool_use', 'state idle', 'turn_end error'])
  })

  it.each([{ maxCostUsd: 60 }, { maxTokens: 45 }])(
    'of %j lets the round that reaches it end',
    async (limits) => {
      const { turn } = await play(openLimited(limits))
      expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 3 })
      expect(turn).not.toHaveProperty('error')
    },
  )

  it.each([{ maxCostUsd: 60 }, { maxTokens: 45 }])(
    'of %j, once reached, refuses the next turn and keeps nothing of it',
    async (limits) => {
      const agent = openLimited(limits)
      await play(agent)
      const before = [...agent.saved]
      const { events, turn } = await play(agent, { message: user(text('and now?')) })
      expect(turn).toMatchObject({ messages: [], rounds: 0, stopReason: 'error', error: { code: 'budget' } })
      expect(events.map(brief)).toEqual(['turn_end error'])
      expect(agent.saved).toEqual(before)
      expect(agent.model.requests).toHaveLength(3)
    },
  )

  it('counts from the opening of the conversation, without earlier costs of the session', async () => {
    const model = choose('a/big', [answers('Done.')], { price })
    const limits = { maxCostUsd: 20, maxTokens: 15 }
    const usage = { inputTokens: 1000, outputTokens: 1000 }
    const spending = openSpending(limits, { usage, costUsd: 100 })
    const { turn } = await play(openAgent({ model, limits, spending }))
    expect(turn.stopReason).toBe('end_turn')
  })

  it('of cost needs the price and sends no request without it', async () => {
    const model = choose('a/big', [answers('Done.')])
    const { turn } = await play(openAgent({ model, limits: { maxCostUsd: 0.01 } }))
    expect(turn).toMatchObject({
      messages: [],
      stopReason: 'error',
      error: { code: 'config', details: { field: 'models.a/big.price' } },
    })
    expect(model.requests).toEqual([])
  })

  it('of cost also needs the price of a model chosen during a turn', async () => {
    const model = choose('a/big', [uses('tc_1', 'read'), answers('Done.')], { price })
    const other = choose('b/other', [answers('Never.')])
    const agent = openAgent({
      model,
      executor: scriptedTools({ read: gives('text') }),
      limits: { maxCostUsd: 100 },
    })
    const { turn } = await play(agent, {
      see: (event) => {
        if (event.type === 'tool_end') agent.engine.send({ type: 'set_model', choice: other })
      },
    })
    expect(turn).toMatchObject({ rounds: 1, error: { code: 'config' } })
    expect(other.requests).toEqual([])
  })

  it('counts failed tries', async () => {
    const usage = { inputTokens: 20, outputTokens: 10 }
    const model = choose('a/big', [failsWith('overloaded', { usage }), uses('tc_1', 'read')], { price })
    const executor = scriptedTools({ read: gives('text') })
    const { turn } = await play(openAgent({ model, executor, limits: { maxTokens: 40 } }))
    expect(turn).toMatchObject({ rounds: 1, error: { code: 'budget', details: { spent: '45' } } })
  })

  it('returns a waiting steering message for the next turn', async () => {
    const agent = openLimited({ maxRounds: 1 })
    const message = { ...user(text('the other file')), id: messageId(99) }
    const { turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'tool_end') agent.engine.send({ type: 'steer', message })
      },
    })
    expect(turn.error).toMatchObject({
      code: 'turn_limit',
      message: 'stopped after 1 round, the turn limit',
    })
    expect(agent.saved).not.toContain(message)
    expect(turn.late).toEqual(message)
  })
})

describe('the length limit of a reply', () => {
  it.each([
    ['its own limit, if that is less', { maxReplyTokens: 100 }, {}, [100, 100, 100]],
    ['the rest of the budget, if that is less', { maxReplyTokens: 100 }, { maxTokens: 120 }, [100, 100, 90]],
    [
      'the rest, if the model could reply with more',
      {},
      { maxTokens: 5_000, maxOutput: 4_990 },
      [undefined, 4_985, 4_970],
    ],
    [
      'the rest, below what all models can reply with',
      {},
      { maxTokens: 4_120 },
      [undefined, undefined, 4_090],
    ],
    ['undefined, if no limit is near', {}, { maxTokens: 1_000_000 }, [undefined, undefined, undefined]],
  ])(
    'is %s',
    async (_, options, { maxOutput, ...limits }: { maxTokens?: number; maxOutput?: number }, expected) => {
      const info = maxOutput === undefined ? {} : { maxOutput }
      const model = choose('a/big', [uses('tc_1', 'read'), uses('tc_2', 'read'), answers('Done.')], info)
      const executor = scriptedTools({ read: gives('text') })
      await play(openAgent({ model, executor, limits, ...options }))
      expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual(expected)
    },
  )
})

describe('a limit of time', () => {
  const limits = { maxTimeMs: 10_000 }
  const details = { limit: 'time', spent: '10000', allowed: '10000' }
  const stalls: Adapter = async function* (signal) {
    yield { type: 'text_delta', id: 'b', delta: 'Hm' }
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return { stopReason: 'end_turn' }
  }

  it('cuts a reply and keeps its text', async () => {
    const clock = createHandClock()
    const agent = openAgent({ model: choose('a/big', [stalls, answers('Next.')]), clock, limits })
    const { events, turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'text_delta') setImmediate(() => clock.advance(10_000))
      },
    })
    expect(turn).toMatchObject({ stopReason: 'error', rounds: 1, error: { code: 'budget', details } })
    expect(turn.error?.message).toBe(
      'stopped at the time limit: 10 s have passed; raise the limit to continue',
    )
    expect(agent.saved.map(textContent)).toEqual(['hello', 'Hm'])
    expect(turn.messages.at(-1)).toMatchObject({ type: 'assistant', stopReason: 'aborted' })
    expect(events.slice(-3).map(brief)).toEqual(['round_end aborted', 'state idle', 'turn_end error'])
    expect(clock.sleeping).toBe(0)
  })

  it('restarts with each turn', async () => {
    const clock = createHandClock()
    const agent = openAgent({ model: choose('a/big', [stalls, answers('Next.')]), clock, limits })
    await play(agent, {
      see: ({ type }) => {
        if (type === 'text_delta') setImmediate(() => clock.advance(10_000))
      },
    })
    const { turn } = await play(agent)
    expect(turn.stopReason).toBe('end_turn')
    expect(clock.slept).toEqual([10_000, 10_000])
    expect(clock.sleeping).toBe(0)
  })

  it('cuts a tool, answers all calls and sends no more requests', async () => {
    const clock = createHandClock()
    const model = choose('a/big', [uses('tc_1', 'wait')])
    const executor = scriptedTools({ wait: waits(never, { before: 'waiting', text: 'never' }) })
    const agent = openAgent({ model, executor, clock, limits })
    const { turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'tool_output') setImmediate(() => clock.advance(10_000))
      },
    })
    expect(turn).toMatchObject({ stopReason: 'error', rounds: 1, error: { code: 'budget', details } })
    expect(resultsOf(turn.messages)).toEqual([`tc_1 failed: ${interrupted}`])
    validateHistory(agent.saved)
    expect(clock.sleeping).toBe(0)
  })

  it('cuts the wait before another try', async () => {
    const clock = createHandClock()
    const model = choose('a/big', [failsWith('overloaded', { details: { retry_after_ms: '50000' } })])
    const agent = openAgent({ model, clock, limits })
    const { turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'retry') setImmediate(() => clock.advance(10_000))
      },
    })
    expect(turn).toMatchObject({ stopReason: 'error', error: { code: 'budget', details } })
    expect(agent.saved).toEqual([user(text('hello'))])
    expect(clock.sleeping).toBe(0)
  })

  it('keeps the turn if it expires after the last reply', async () => {
    const clock = createHandClock()
    const agent = openAgent({ model: choose('a/big', [answers('Done.')]), clock, limits })
    const { turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'message') clock.advance(10_000)
      },
    })
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    expect(turn).not.toHaveProperty('error')
  })

  it('changes nothing if it expires after an interrupt', async () => {
    const clock = createHandClock()
    const agent = openAgent({ model: choose('a/big', [stalls]), clock, limits })
    const { turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'text_delta') agent.engine.send({ type: 'interrupt' })
        if (type === 'message') clock.advance(10_000)
      },
    })
    expect(turn).toMatchObject({ stopReason: 'aborted', error: { code: 'aborted' } })
  })

  it('leaves no timer behind after an interrupt, a crash or an abandoned turn', async () => {
    const clock = createHandClock()
    const broken: Adapter = async function* () {
      yield { type: 'text_delta', id: 'b', delta: 'x' }
      throw new TypeError('x is not a function')
    }
    const agent = openAgent({ model: choose('a/big', [stalls, broken, stalls]), clock, limits })
    const { turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'text_delta') agent.engine.send({ type: 'interrupt' })
      },
    })
    expect(turn).toMatchObject({ stopReason: 'aborted', error: { code: 'aborted' } })
    await expect(play(agent)).rejects.toThrow(TypeError)
    for await (const { type } of agent.engine.submit(user(text('hello')), new AbortController())) {
      if (type === 'text_delta') break
    }
    expect(clock.slept).toEqual([10_000, 10_000, 10_000])
    expect(clock.sleeping).toBe(0)
  })
})
