import { describe, expect, it } from 'vitest'
import type { Routing } from '../../../src/engine.ts'
import type { AgentEvent } from '../../../src/event.ts'
import { textContent } from '../../../src/message.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { type AgentSetup, openAgent, play, resultsOf } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { text, user } from '../../support/messages/messages.ts'
import { answers, candidate, choose, failsWith, lockedCandidate, uses } from '../../support/models/choices.ts'

const spent = { details: { should_retry: 'false' } }

function fallingBackTo(...fallback: Routing['fallback']): Pick<AgentSetup, 'routing'> {
  return { routing: { candidates: [], fallback, prefer: 'order' } }
}

function fallbacks(events: readonly AgentEvent[]) {
  return events.flatMap((event) =>
    event.type === 'fallback' ? [[event.from, event.to, event.reason, ...event.discarded]] : [],
  )
}

/** The models that answered each turn's rounds, with the fallback note. */
function speakers(messages: readonly { metadata?: Readonly<Record<string, string>>; provider?: string }[]) {
  return messages.flatMap(({ provider, metadata }) =>
    provider === undefined ? [] : [[provider, metadata?.['fallback_from']]],
  )
}

describe('an unavailable model', () => {
  it.each(['overloaded', 'rate_limited', 'network', 'timeout'] as const)(
    'is replaced by the next after all retries: %s',
    async (code) => {
      const slept: number[] = []
      const model = choose(
        'a/big',
        Array.from({ length: 6 }, () => failsWith(code)),
      )
      const other = choose('b/big', [answers('Whole.')])
      const agent = openAgent({ model, clock: stillClock(slept), ...fallingBackTo(candidate(other)) })
      const { events, turn } = await play(agent)
      expect(slept).toEqual([500, 1000, 2000, 4000, 8000])
      const reason = `after 6 tries: the server said ${code}`
      expect(fallbacks(events)).toEqual([['a/big', 'b/big', reason, 'half']])
      expect(agent.saved.map(textContent)).toEqual(['hello', 'Whole.'])
      expect(turn.messages.at(-1)).toMatchObject({
        provider: 'b',
        model: 'big',
        metadata: { fallback_from: `a/big: ${reason}` },
      })
      expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
      expect(turn).not.toHaveProperty('error')
    },
  )

  it.each([
    ['it says that a retry cannot help', { should_retry: 'false' }],
    ['it asks to wait for more than a minute', { retry_after_ms: '60001' }],
  ])('is replaced at once if %s', async (_, details) => {
    const slept: number[] = []
    const model = choose('a/big', [failsWith('rate_limited', { details })])
    const other = choose('b/big', [answers('Whole.')])
    const { turn } = await play(
      openAgent({ model, clock: stillClock(slept), ...fallingBackTo(candidate(other)) }),
    )
    expect(slept).toEqual([])
    expect(speakers(turn.messages)).toMatchObject([['b', expect.stringContaining('a/big: the server said')]])
  })

  it.each(['auth', 'invalid', 'context_overflow', 'not_found', 'protocol'] as const)(
    'is not replaced, so that the user learns of it: %s',
    async (code) => {
      const model = choose('a/big', [failsWith(code)])
      const other = choose('b/big', [])
      const { events, turn } = await play(openAgent({ model, ...fallingBackTo(candidate(other)) }))
      expect(turn).toMatchObject({ stopReason: 'error', error: { code, message: `the server said ${code}` } })
      expect(fallbacks(events)).toEqual([])
      expect(other.requests).toEqual([])
    },
  )

  it('is replaced with the same request, except for the model’s own settings', async () => {
    const model = choose('a/big', [failsWith('network', spent)], { maxOutput: 1 })
    const other = choose('b/small', [answers('Whole.')], { maxOutput: 2 })
    const executor = scriptedTools({ read: gives('text') })
    await play(
      openAgent({
        model: { ...model, thinking: 'high' },
        executor,
        temperature: 0.5,
        ...fallingBackTo(candidate(other)),
      }),
    )
    const [first] = model.requests
    expect(other.requests).toEqual([{ ...first, model: 'small', info: other.info }])
    expect(first).toMatchObject({ thinking: 'high', temperature: 0.5, messages: [{ type: 'user' }] })
  })

  it('counts its spending at its own price', async () => {
    const usage = { inputTokens: 3, outputTokens: 1 }
    const model = choose('a/big', [failsWith('network', { ...spent, usage })], {
      price: { input: 1e6, output: 1e6 },
    })
    const other = choose('b/big', [answers('Whole.')], { price: { input: 2e6, output: 2e6 } })
    const { turn } = await play(openAgent({ model, ...fallingBackTo(candidate(other)) }))
    expect(turn).toMatchObject({ usage: { inputTokens: 13, outputTokens: 6 }, costUsd: 34 })
    expect(turn.messages.at(-1)?.metadata).toEqual({
      cost_usd: '30',
      fallback_from: 'a/big: the server said network',
    })
  })
})

describe('the replacement model', () => {
  it('stays for the rest of the turn, and the next begins with the chosen one', async () => {
    const model = choose('a/big', [failsWith('network', spent), answers('Back.')])
    const other = choose('b/big', [uses('tc_1', 'read'), answers('Done.')])
    const executor = scriptedTools({ read: gives('text') })
    const agent = openAgent({ model, executor, ...fallingBackTo(candidate(other)) })
    const first = await play(agent)
    const note = 'a/big: the server said network'
    expect(speakers(first.turn.messages)).toEqual([
      ['b', note],
      ['b', note],
    ])
    expect(first.events.flatMap((event) => (event.type === 'round_start' ? [event.provider] : []))).toEqual([
      'a',
      'b',
    ])
    const second = await play(agent, { message: user(text('And?')) })
    expect(speakers(second.turn.messages)).toEqual([['a', undefined]])
    expect(agent.states.map((state) => state.model)).toEqual(Array(6).fill('a/big'))
  })

  it('takes over in the middle of a turn, with no call made twice', async () => {
    const journal: string[] = []
    const model = choose('a/big', [
      uses('tc_1', 'write'),
      async function* () {
        yield { type: 'tool_call_begin', id: 'tc_2', name: 'write' }
        yield { type: 'call_complete', id: 'tc_2' }
        yield* failsWith('network', spent)(new AbortController().signal)
        return { stopReason: 'end_turn' }
      },
    ])
    const other = choose('b/big', [uses('tc_3', 'write'), answers('Done.')])
    const executor = scriptedTools({ write: gives('written') }, journal)
    const agent = openAgent({ model, executor, ...fallingBackTo(candidate(other)) })
    const { events, turn } = await play(agent)
    expect(fallbacks(events)).toEqual([['a/big', 'b/big', 'the server said network', 'tc_2', 'half']])
    expect(resultsOf(turn.messages)).toEqual(['tc_1: written', 'tc_3: written'])
    expect(journal.filter((line) => line === 'run write')).toHaveLength(2)
    expect(speakers(turn.messages).map(([name]) => name)).toEqual(['a', 'b', 'b'])
  })

  it('gives way to a model chosen meanwhile', async () => {
    const model = choose('a/big', [failsWith('network', spent)])
    const other = choose('b/big', [uses('tc_1', 'read')])
    const third = choose('c/big', [answers('Done.')])
    const executor = scriptedTools({ read: gives('text') })
    const agent = openAgent({ model, executor, ...fallingBackTo(candidate(other)) })
    const { turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'tool_end') agent.engine.send({ type: 'set_model', choice: third })
      },
    })
    expect(speakers(turn.messages)).toEqual([
      ['b', 'a/big: the server said network'],
      ['c', undefined],
    ])
  })

  it('is the next of the list, each tried once in a turn', async () => {
    const model = choose('a/big', [failsWith('network', spent)])
    const second = choose('b/big', [uses('tc_1', 'read'), failsWith('overloaded', spent)])
    const third = choose('c/big', [answers('Done.')])
    const executor = scriptedTools({ read: gives('text') })
    const list = [candidate(model), candidate(second), candidate(third)]
    const { events, turn } = await play(openAgent({ model, executor, ...fallingBackTo(...list) }))
    expect(fallbacks(events)).toEqual([
      ['a/big', 'b/big', 'the server said network', 'half'],
      ['b/big', 'c/big', 'the server said overloaded', 'half'],
    ])
    expect(speakers(turn.messages)).toEqual([
      ['b', 'a/big: the server said network'],
      ['c', 'b/big: the server said overloaded'],
    ])
    expect(turn.stopReason).toBe('end_turn')
  })

  it('is never one without a key or a needed ability', async () => {
    const model = choose('a/big', [failsWith('network', spent)])
    const blind = choose('b/blind', [], { images: false })
    const seeing = choose('d/big', [answers('A cat.')])
    const message = user(text('What is this?'), { type: 'image', mimeType: 'image/png', data: 'AA==' })
    const routing = fallingBackTo(candidate(blind), lockedCandidate('c/big'), candidate(seeing))
    const { events, turn } = await play(openAgent({ model, ...routing }), { message })
    expect(fallbacks(events)).toEqual([['a/big', 'd/big', 'the server said network', 'half']])
    expect(turn.stopReason).toBe('end_turn')
  })

  it('may fail for any reason, and the next is asked', async () => {
    const model = choose('a/big', [failsWith('network', spent)])
    const list = [choose('b/big', [failsWith('auth')]), choose('c/big', [answers('Done.')])]
    const { turn } = await play(openAgent({ model, ...fallingBackTo(...list.map(candidate)) }))
    expect(speakers(turn.messages)).toEqual([['c', 'b/big: the server said auth']])
  })
})

describe('without an available model', () => {
  it('reports the first error with the others, and keeps the last text', async () => {
    const details = { should_retry: 'false', status: '529' }
    const model = choose('a/big', [failsWith('overloaded', { details })])
    const list = [candidate(choose('b/big', [failsWith('auth')])), lockedCandidate('c/big')]
    const agent = openAgent({ model, ...fallingBackTo(...list) })
    const { turn } = await play(agent)
    expect(turn.error).toMatchObject({
      code: 'overloaded',
      details,
      message:
        'the server said overloaded; no other model could answer (b/big: the server said auth; c/big: there is no key)',
    })
    expect(agent.saved).toMatchObject([{ type: 'user' }, { provider: 'b', stopReason: 'error' }])
    expect(agent.saved.map(textContent)).toEqual(['hello', 'Half'])
  })

  it('reports only its error if no other is able', async () => {
    const model = choose('a/big', [failsWith('overloaded', spent)])
    const small = choose('b/small', [], { contextWindow: 100 })
    const { turn } = await play(openAgent({ model, ...fallingBackTo(candidate(small)) }))
    expect(turn.error?.message).toBe('the server said overloaded')
  })
})

describe('an interrupt', () => {
  it('during the reply of the replacement ends the turn without asking another', async () => {
    const model = choose('a/big', [failsWith('network', spent)])
    const other = choose('b/big', [answers('Whole.')])
    const third = choose('c/big', [])
    const agent = openAgent({ model, ...fallingBackTo(candidate(other), candidate(third)) })
    const { turn } = await play(agent, {
      see: (event) => {
        if (event.type === 'fallback') agent.engine.send({ type: 'interrupt' })
      },
    })
    expect(turn).toMatchObject({ stopReason: 'aborted', error: { code: 'aborted' } })
    expect(agent.saved).toEqual([user(text('hello'))])
    expect(third.requests).toEqual([])
  })

  it('while a model fails asks no other', async () => {
    const abort = new AbortController()
    const model = choose('a/big', [
      async function* () {
        yield { type: 'text_delta', id: 'b', delta: 'Hm' }
        abort.abort()
        yield* failsWith('network', spent)(abort.signal)
        return { stopReason: 'end_turn' }
      },
    ])
    const other = choose('b/big', [])
    const agent = openAgent({ model, ...fallingBackTo(candidate(other)) })
    const { events, turn } = await play(agent, { signal: abort.signal })
    expect(turn.stopReason).toBe('aborted')
    expect(fallbacks(events)).toEqual([])
    expect(other.requests).toEqual([])
  })
})
