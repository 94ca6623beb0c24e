import { describe, expect, it } from 'vitest'
import { Meter } from '../../../src/agent/limits/meter.ts'
import { Pace } from '../../../src/agent/request/pace.ts'
import { requestReply } from '../../../src/agent/request/request-reply.ts'
import { PipeError } from '../../../src/error.ts'
import type { Provider } from '../../../src/provider.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'

/** A conversation that nobody stops. */
const unstopped = () => new AbortController().signal
const settle = () => new Promise((resolve) => setImmediate(resolve))
const refused = (ms?: number) =>
  new PipeError('rate_limited', 'no', ms === undefined ? {} : { details: { retry_after_ms: String(ms) } })

/** Enters several times. `begun` lists those that were let through. */
function openPace() {
  const clock = createHandClock()
  const pace = new Pace(clock)
  const begun: ((failure?: PipeError) => void)[] = []
  return {
    clock,
    pace,
    begun,
    enter: async (times: number, provider = 'a', until?: AbortSignal) => {
      for (let i = 0; i < times; i++)
        void pace
          .enter(provider, until ?? unstopped())
          .then((leave) => begun.push((failure) => leave(failure)))
      await settle()
    },
  }
}

describe('the pace of many conversations', () => {
  it('lets all through while a server takes them', async () => {
    const { begun, enter } = openPace()
    await enter(8)
    expect(begun.length).toBe(8)
  })

  it('gives a server that refuses one of them a rest from all, but no other server', async () => {
    const { begun, enter, clock } = openPace()
    await enter(1)
    begun[0]?.(refused(3_000))
    await enter(3)
    await enter(1, 'b')
    expect(begun.length).toBe(2)
    clock.advance(2_999)
    await settle()
    expect(begun.length).toBe(2)
    clock.advance(1)
    await settle()
    // One at a time, because one at a time was too much.
    expect(begun.length).toBe(3)
  })

  it('asks for half as many at once after that, and for more with each reply', async () => {
    const { begun, enter, clock } = openPace()
    await enter(8)
    for (const leave of begun) leave(refused(1_000))
    clock.advance(1_000)
    await enter(12)
    expect(begun.length).toBe(8 + 4)
    for (const leave of begun.splice(8)) leave()
    await settle()
    expect(begun.length).toBe(8 + 5)
  })

  it('waits longer from refusal to refusal, counting those of one moment once', async () => {
    const { begun, enter, clock } = openPace()
    for (const expected of [500, 1_000, 2_000]) {
      await enter(2)
      clock.advance(0)
      const slept = clock.slept.length
      for (const leave of begun.splice(0)) leave(refused())
      await enter(1)
      expect(clock.slept.slice(slept)).toContain(expected)
      clock.advance(60_000)
      await settle()
    }
  })

  it.each([
    ['never', { should_retry: 'false' }],
    ['in an hour', { retry_after_ms: '3600000' }],
  ])('holds nobody back after a refusal that passes %s', async (_, details) => {
    const { begun, enter, clock } = openPace()
    await enter(4)
    for (const leave of begun) leave(new PipeError('rate_limited', 'no', { details }))
    await enter(4)
    expect(begun.length).toBe(8)
    begun[4]?.(refused())
    await enter(1)
    expect(clock.slept).toEqual([500])
  })

  it('holds nobody whose signal has fired', async () => {
    const { begun, enter } = openPace()
    const controller = new AbortController()
    await enter(1)
    begun[0]?.(refused(60_000))
    await enter(2, 'a', controller.signal)
    controller.abort()
    await settle()
    expect(begun.length).toBe(3)
  })

  it('lets the next one through after a request that its provider refuses at once', async () => {
    const { begun, enter, clock, pace } = openPace()
    await enter(1)
    begun[0]?.(refused(0))
    clock.advance(60_000)
    const failure = new PipeError('invalid', 'this request cannot be sent')
    const provider: Provider = {
      name: 'a',
      stream: () => {
        throw failure
      },
    }
    const request = { model: 'm', systemPrompt: '', messages: [], tools: [] }
    const asking = {
      clock,
      random: () => 0,
      signal: unstopped(),
      spent: new Meter(),
      latency: new Map(),
      pace,
    }
    await expect(requestReply(provider, request, asking).next()).rejects.toBe(failure)
    await enter(1)
    expect(begun.length).toBe(2)
  })
})
