import { describe, expect, it } from 'vitest'
import { textContent } from '../../../src/message.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import {
  brief,
  calls,
  failing,
  openAgent,
  play,
  resultsOf,
  round,
  says,
} from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { adapted, answers, failsWith } from '../../support/models/choices.ts'

const busy = { code: 'overloaded', message: 'too much to do', after: 1 } as const

const success = answers('Whole.')

describe('a reply that fails temporarily', () => {
  it('is requested again, and its shown blocks are discarded', async () => {
    const slept: number[] = []
    const executor = scriptedTools({ read: gives('text') })
    const reply = round({ type: 'thinking', thinking: 'Hm' }, says('I look.'), calls('tc_1', 'read'))
    const agent = openAgent({
      rounds: [failing(reply, { ...busy, after: 0 }, { ...busy, after: 5 }), round(says('Done.'))],
      executor,
      clock: stillClock(slept),
    })
    const { events, turn } = await play(agent)
    expect(events.filter(({ type }) => type === 'retry')).toEqual([
      { type: 'retry', attempt: 1, reason: busy.message, waitMs: 500, discarded: [], ...stamp(4, agent) },
      {
        type: 'retry',
        attempt: 2,
        reason: busy.message,
        waitMs: 1000,
        discarded: ['block_0', 'block_1', 'tc_1'],
        ...stamp(10, agent),
      },
    ])
    expect(slept).toEqual([500, 1000])
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 2 })
    expect(turn.messages.map(({ type }) => type)).toEqual(['user', 'assistant', 'tool_result', 'assistant'])
  })

  it('makes no call twice, not even one that was complete before the failure', async () => {
    const journal: string[] = []
    const executor = scriptedTools({ write: gives('written') }, journal)
    const reply = round(calls('tc_1', 'write'), says('And more to say.'))
    const agent = openAgent({
      rounds: [failing(reply, { ...busy, after: 5 }), round(says('Done.'))],
      executor,
      journal,
    })
    const { events, turn } = await play(agent)
    expect(events.map(brief).filter((line) => line === 'tool_call_end tc_1')).toHaveLength(2)
    expect(journal.filter((line) => line === 'run write')).toHaveLength(1)
    expect(resultsOf(turn.messages)).toEqual(['tc_1: written'])
  })

  it('is given up after five retries, and its last text is kept', async () => {
    const slept: number[] = []
    const failures = Array.from({ length: 9 }, () => busy)
    const agent = openAgent({
      rounds: [failing(round(says('one two')), ...failures)],
      clock: stillClock(slept),
    })
    const { events, turn } = await play(agent)
    expect(slept).toEqual([500, 1000, 2000, 4000, 8000])
    expect(agent.requests).toHaveLength(6)
    expect(turn).toMatchObject({
      stopReason: 'error',
      rounds: 1,
      error: { code: 'overloaded', message: `after 6 tries: ${busy.message}` },
    })
    expect(agent.saved.at(-1)).toMatchObject({ type: 'assistant', stopReason: 'error' })
    expect(agent.saved.map(textContent)).toEqual(['hello', 'one'])
    expect(events.map(brief).slice(-6)).toEqual([
      'message assistant',
      'state toolcall',
      'state reflecting',
      'round_end error',
      'state idle',
      'turn_end error',
    ])
  })

  it('waits exactly as long as the server asks', async () => {
    const clock = createHandClock()
    const details = { retry_after_ms: '1234', status: '429' }
    const agent = openAgent({
      provider: adapted(failsWith('rate_limited', { details }), success),
      clock,
    })
    const { events, turn } = await play(agent, {
      see: (event) => {
        if (event.type === 'retry') setImmediate(() => clock.advance(event.waitMs))
      },
    })
    expect(events.find(({ type }) => type === 'retry')).toMatchObject({ waitMs: 1234, status: 429 })
    expect(clock.slept).toEqual([1234])
    expect(agent.saved.map(textContent)).toEqual(['hello', 'Whole.'])
    expect(turn.stopReason).toBe('end_turn')
  })
})

describe('a reply that fails for good', () => {
  it.each([
    ['auth', {}],
    ['invalid', {}],
    ['rate_limited', { should_retry: 'false' }],
  ] as const)('because of %s %j ends the turn at once', async (code, details) => {
    const slept: number[] = []
    const agent = openAgent({ provider: adapted(failsWith(code, { details })), clock: stillClock(slept) })
    const { events, turn } = await play(agent)
    expect(turn).toMatchObject({ stopReason: 'error', error: { code, message: `the server said ${code}` } })
    expect(slept).toEqual([])
    expect(events.map(({ type }) => type)).not.toContain('retry')
    expect(agent.saved.map(textContent)).toEqual(['hello', 'Half'])
  })

  it('is requested again if the server says so', async () => {
    const agent = openAgent({
      provider: adapted(failsWith('invalid', { details: { should_retry: 'true' } }), success),
    })
    const { turn } = await play(agent)
    expect(turn.stopReason).toBe('end_turn')
  })

  it.each([
    ['99001', '1 min 40 s'],
    ['300000', '5 min'],
    ['3900000', '1 h 5 min'],
    ['97200000', '27 h'],
  ])('reports the wait if the server asks for %s ms', async (asked, wait) => {
    const slept: number[] = []
    const provider = adapted(failsWith('rate_limited', { details: { retry_after_ms: asked } }))
    const { turn } = await play(openAgent({ provider, clock: stillClock(slept) }))
    expect(turn.error).toMatchObject({
      code: 'rate_limited',
      message: `the server said rate_limited; the server asks to try again in ${wait}`,
      details: { retry_after_ms: asked },
    })
    expect(slept).toEqual([])
  })

  it.each(['1e+23', '1e300', 'Infinity'])('does not crash on a wait of %s ms', async (asked) => {
    const provider = adapted(failsWith('rate_limited', { details: { retry_after_ms: asked } }))
    const { turn } = await play(openAgent({ provider }))
    expect(turn.error).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('to try again in 8760 h'),
    })
  })

  it('throws an error that is a bug', async () => {
    const provider = adapted(async function* () {
      yield { type: 'text_delta', id: 'b', delta: 'x' }
      throw new TypeError('x is not a function')
    })
    const agent = openAgent({ provider })
    await expect(play(agent)).rejects.toThrow(TypeError)
    expect(agent.engine.state).toBe('idle')
  })
})

function stamp(seq: number, { engine }: { readonly engine: { readonly id: string } }) {
  return { agentId: engine.id, seq }
}
