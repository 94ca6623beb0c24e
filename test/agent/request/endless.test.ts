import { describe, expect, it } from 'vitest'
import { type Clock, sleepBy } from '../../../src/clock.ts'
import { textContent } from '../../../src/message.ts'
import type { AdapterEvent } from '../../../src/reply/accumulator.ts'
import { type Adapter, adaptedProvider } from '../../../src/stream.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { openAgent, play, resultsOf } from '../../support/conversations/agent.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { adapted } from '../../support/models/choices.ts'

/** Yields the same events forever, without a pause. */
function endless(...events: readonly AdapterEvent[]): Adapter {
  return async function* () {
    for (;;) yield* events
  }
}

const said: AdapterEvent = { type: 'text_delta', id: 'a', delta: 'word ' }

/** A clock whose due timers wait for the next turn of the event loop. */
function turningClock(): Clock {
  const after: Clock['after'] = (_ms, action) => {
    const idle = setImmediate(action)
    return () => clearImmediate(idle)
  }
  return { ...stillClock(), after, sleep: sleepBy(after) }
}

/** Maximum events between two turns of the event loop: 65,536 characters, with 256 for each event. */
const mostAtOnce = 256

describe('a reply without a pause', () => {
  it('lets a due timer interrupt it within a few hundred events', async () => {
    const agent = openAgent({ provider: adapted(endless(said)), clock: turningClock() })
    const stop = new AbortController()
    let seen = 0
    const { turn } = await play(agent, {
      signal: stop.signal,
      see: (event) => {
        if (event.type === 'text_delta' && ++seen === 1_000) setTimeout(() => stop.abort(), 0)
        // Ends a run whose event loop never turns.
        if (seen > 500_000) throw new Error('the timer never had its turn')
      },
    })
    expect(turn.stopReason).toBe('aborted')
    expect(textContent(agent.saved.at(-1) ?? { content: [] })).toBe('word '.repeat(seen))
  })

  it('lets the event loop turn after at most 256 events', async () => {
    const agent = openAgent({ provider: adapted(endless(said)), clock: turningClock() })
    const stop = new AbortController()
    let [seen, at] = [0, 0]
    await play(agent, {
      signal: stop.signal,
      see: (event) => {
        if (event.type !== 'text_delta' || ++seen !== 1_000) return
        at = seen
        setImmediate(() => stop.abort())
      },
    })
    expect(seen - at).toBeLessThanOrEqual(2 * mostAtOnce)
  })
})

describe('a reply without an end', () => {
  it('is stopped at 64 characters per token of the model’s limit, and its text is kept', async () => {
    const delta = 'x'.repeat(1_000)
    const adapter = endless({ ...said, delta })
    const provider = adaptedProvider('a', () => adapter, { newId: otherIds(), clock: stillClock() })
    const info = { provider: 'a', id: 'small', maxOutput: 10_000 }
    const agent = openAgent({ model: { provider, model: 'small', info } })
    const { turn } = await play(agent)
    expect(turn).toMatchObject({
      stopReason: 'length',
      error: {
        code: 'length',
        message: 'the reply of a did not end and was stopped at 640000 characters; the text so far is kept',
      },
    })
    expect(turn.messages.at(-1)).toMatchObject({ stopReason: 'length' })
    expect(textContent(turn.messages.at(-1) ?? { content: [] })).toBe(delta.repeat(640))
  })

  it.each<[string, AdapterEvent[]]>([
    ['thinking', [{ type: 'thinking_delta', id: 'a', delta: 'x'.repeat(1_000_000) }]],
    ['signatures', [{ type: 'block_meta', id: 'b', signature: 'x'.repeat(1_000_000) }, said]],
  ])('is stopped at 32 million characters of %s if the model’s limit is unknown', async (_, events) => {
    const { turn } = await play(openAgent({ provider: adapted(endless(...events)) }))
    expect(turn.error).toMatchObject({ code: 'length', message: expect.stringContaining(' 32000000 ') })
  })

  it('is stopped while it writes the arguments of a call, which is not run', async () => {
    const adapter: Adapter = async function* () {
      yield { type: 'tool_call_begin', id: 'c', name: 'read' }
      for (;;) yield { type: 'tool_call_delta', id: 'c', delta: 'x'.repeat(1_000_000) }
    }
    const { turn } = await play(openAgent({ provider: adapted(adapter) }))
    expect(turn.error?.code).toBe('length')
    expect(resultsOf(turn.messages)).toEqual([
      'c failed: [interrupted: this call was not carried out to its end]',
    ])
  })

  it('is stopped at 1,000 calls, none of which is run', async () => {
    const adapter: Adapter = async function* () {
      for (let i = 0; ; i++) {
        yield { type: 'tool_call_begin', id: `c${i}`, name: 'read' }
        yield { type: 'call_complete', id: `c${i}`, text: '{}' }
      }
    }
    const { turn, events } = await play(openAgent({ provider: adapted(adapter) }))
    expect(turn.error?.message).toBe(
      'the reply of adapted did not end and was stopped at 1000 parts; the text so far is kept',
    )
    expect(events.filter(({ type }) => type === 'tool_start')).toEqual([])
    expect(resultsOf(turn.messages)).toHaveLength(1_000)
  })
})
