import { describe, expect, it } from 'vitest'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { openAgent, play, says } from '../../support/conversations/agent.ts'
import { now } from '../../support/messages/messages.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { openWire, type Wire, wires } from '../../support/models/wires.ts'
import { savedReplies } from '../../support/sessions/reader.ts'

type Reply = FakeReply<unknown>
type Headers = Readonly<Record<string, string>>

const done: Reply = { blocks: [says('Done.')] }

/** The answer of an overloaded server. */
function refuses(wire: Wire, status: number, headers: Headers = {}): Reply {
  return { status, headers, body: JSON.stringify(wire.busy) }
}

async function playOver(wire: Wire, ...replies: readonly Reply[]) {
  const { server, provider } = await openWire(wire, replies)
  const slept: number[] = []
  const agent = openAgent({ provider, clock: stillClock(slept) })
  const { events, turn } = await play(agent)
  const retries = events.flatMap((event) => (event.type === 'retry' ? [event] : []))
  return { server, agent, slept, retries, turn }
}

const after = (ms: number) => new Date(now + ms).toUTCString()

/** Advice on retrying and the resulting wait in ms. The default without jitter is 500. */
const waits: readonly (readonly [said: string, status: number, headers: Headers, waitMs: number])[] = [
  ['nothing', 429, {}, 500],
  ['nothing', 503, {}, 500],
  ['nothing', 529, {}, 500],
  ['seconds', 429, { 'retry-after': '3' }, 3_000],
  ['no wait at all', 503, { 'retry-after': '0' }, 500],
  ['fractions of a second', 503, { 'retry-after': '0.25' }, 250],
  ['milliseconds', 529, { 'retry-after-ms': '250', 'retry-after': '3' }, 250],
  ['a minute', 429, { 'retry-after': '60' }, 60_000],
  ['a date', 503, { 'retry-after': after(2_000) }, 2_000],
  ['a date in the past', 529, { 'retry-after': after(-3_600_000) }, 500],
  ['no number and no date', 429, { 'retry-after': 'later', 'retry-after-ms': 'soon' }, 500],
  ['should-retry with a wait', 503, { 'x-should-retry': 'true', 'retry-after-ms': '40' }, 40],
  ['should-retry alone', 400, { 'x-should-retry': 'true' }, 500],
]

/** Advice that ends the turn, and the end of the error message. */
const ends: readonly (readonly [said: string, status: number, headers: Headers, message: RegExp])[] = [
  ['not to retry', 503, { 'x-should-retry': 'false', 'retry-after': '1' }, /Overloaded$/],
  ['a day', 429, { 'retry-after': '86400' }, /to try again in 24 h$/],
  ['a date of tomorrow', 529, { 'retry-after': after(86_400_000) }, /to try again in 24 h$/],
  ['milliseconds of an hour', 503, { 'retry-after-ms': '3600000' }, /to try again in 1 h$/],
]

const codes = new Map([
  [429, 'rate_limited'],
  [503, 'overloaded'],
  [529, 'overloaded'],
])

describe.each(wires)('a server that refuses, over $dialect', (wire) => {
  it.each(waits)('and says %s with %i is asked again', async (_, status, headers, waitMs) => {
    const { agent, slept, retries, turn } = await playOver(wire, refuses(wire, status, headers), done)
    expect(turn.stopReason).toBe('end_turn')
    expect(slept).toEqual([waitMs])
    expect(retries).toMatchObject([
      { attempt: 1, waitMs, discarded: [], reason: expect.stringContaining(`(${status})`) },
    ])
    expect(savedReplies(agent.saved)).toEqual([['Done.']])
  })

  it.each(ends)('and says %s with %i ends the turn', async (_, status, headers, message) => {
    const { agent, server, slept, turn } = await playOver(wire, refuses(wire, status, headers))
    expect(turn).toMatchObject({
      stopReason: 'error',
      error: {
        code: codes.get(status),
        message: expect.stringMatching(message),
        details: { status: String(status) },
      },
    })
    expect([slept, server.requests.length, agent.saved.length]).toEqual([[], 1, 1])
  })

  it('may answer with a gateway’s web page', async () => {
    const page: Reply = { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway' }
    const { retries, turn } = await playOver(wire, page, done)
    expect(turn.stopReason).toBe('end_turn')
    expect(retries).toMatchObject([{ reason: `${wire.dialect} failed (502): a web page` }])
  })

  it('STRE-279: is asked five more times at growing intervals before giving up', async () => {
    const { server, agent, slept, turn } = await playOver(wire, ...Array(6).fill(refuses(wire, 529)))
    expect(slept).toEqual([500, 1_000, 2_000, 4_000, 8_000])
    expect(server.requests).toHaveLength(6)
    expect(turn).toMatchObject({ stopReason: 'error', error: { code: 'overloaded' } })
    expect(agent.saved).toHaveLength(1)
  })
})

describe('the wait', () => {
  it.each([
    ['STRE-278', { 'retry-after': '3' }, 3_000],
    ['STRE-282', { 'retry-after-ms': '250' }, 250],
    ['STRE-283', { 'retry-after': after(2_000) }, 2_000],
  ])('%s: lasts at least as long as the server asks', async (_, headers, waitMs) => {
    for (const wire of wires) {
      const { server, provider } = await openWire(wire, [refuses(wire, 429, headers), done])
      const clock = createHandClock()
      const playing = play(openAgent({ provider, clock }))
      await expect.poll(() => clock.sleeping, { interval: 2 }).toBe(1)
      clock.advance(waitMs - 1)
      await new Promise(setImmediate)
      expect([clock.sleeping, server.requests.length]).toEqual([1, 1])
      clock.advance(1)
      expect((await playing).turn.stopReason).toBe('end_turn')
      expect(clock.slept).toEqual([waitMs])
    }
  })
})
