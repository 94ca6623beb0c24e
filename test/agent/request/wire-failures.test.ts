import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import type { AgentEvent } from '../../../src/event.ts'
import type { TransportOptions } from '../../../src/http/transport.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { calls, openAgent, play, resultsOf, says } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { openWire, type Wire, wires } from '../../support/models/wires.ts'
import { savedReplies, shownReplies } from '../../support/sessions/reader.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'

type Reply = FakeReply<unknown>

const words = 'Grüße, 世界 🌍: I write it.'
const blocks = [says(words), calls('call_1', 'write', { path: 'a b.txt' })]
const whole: Reply = { blocks }
const done: Reply = { blocks: [says('Done.')] }
const silent: Reply = () => new Promise(() => {})

/** Plays a turn against a server that gives these replies and then `Done.` */
async function playOver(wire: Wire, replies: readonly Reply[], options: TransportOptions = {}) {
  const { server, provider } = await openWire(wire, [...replies, done], options)
  const journal: string[] = []
  const executor = scriptedTools({ write: gives('written') }, journal)
  const agent = openAgent({ provider, executor, clock: stillClock() })
  const { events, turn } = await play(agent)
  const retries = events.flatMap((event) => (event.type === 'retry' ? [event] : []))
  const left = () => Promise.all(server.requests.map(({ closed }) => closed))
  return { server, agent, runs: journal.filter((line) => line === 'run write'), events, retries, turn, left }
}

type Played = Awaited<ReturnType<typeof playOver>>

/** Checks that the turn ended normally: one call, and nothing shown or saved twice. */
function expectWhole({ agent, runs, events, turn }: Played): void {
  const replies = [[words, 'write'], ['Done.']]
  expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 2 })
  expect(agent.saved.map(({ type }) => type)).toEqual(['user', 'assistant', 'tool_result', 'assistant'])
  expect(savedReplies(agent.saved)).toEqual(replies)
  expect(shownReplies(events)).toEqual(replies)
  expect(resultsOf(agent.saved)).toEqual([expect.stringMatching(/^\S+: written$/)])
  expect(runs).toHaveLength(1)
}

/** The ids of the blocks shown before the first retry. */
function shownBefore(events: readonly AgentEvent[]): readonly string[] {
  const first = events.findIndex(({ type }) => type === 'retry')
  const ids = events.slice(0, first).flatMap((event) => {
    if (event.type === 'tool_call_end') return [event.call.id]
    return 'delta' in event || event.type === 'tool_call_begin' ? [event.id] : []
  })
  return [...new Set(ids)]
}

/** Places to cut: before the first byte, in the middle of each event and after it. */
function cutsOf(events: readonly string[]): readonly number[] {
  let length = 0
  const cuts = events.flatMap((event) => {
    const from = length
    length += Buffer.byteLength(event)
    return [Math.floor((from + length) / 2), length]
  })
  return [0, ...cuts]
}

describe.each(wires)('over $dialect', (wire) => {
  const events = wire.events(blocks)
  const bytes = Buffer.from(events.join(''))
  const needed = Buffer.byteLength(events.slice(0, events.length - wire.spare).join(''))
  const cuts = cutsOf(events)
  const half = bytes.subarray(0, needed / 2)
  /** Alternates both kinds, inside events and between them. */
  const broken = cuts.map((cut, i) => [i % 4 < 2 ? ('reset' as const) : ('drop' as const), cut] as const)

  // A third of the places has both kinds, inside events and between them. The last one is nearest to a whole reply.
  const early = broken.filter(([, cut]) => cut < needed)
  const few = early.filter((_, i) => i % 3 === 0 || i === early.length - 1)
  const tried = sized(
    early.filter((one) => !few.includes(one)),
    few,
  )
  sizedIt.each(tried)('retries after a %s at %i bytes', async (ending, cut) => {
    const played = await playOver(wire, [{ sse: bytes.subarray(0, cut), ending }, whole])
    expectWhole(played)
    const discarded = shownBefore(played.events)
    expect(played.retries).toMatchObject([
      { attempt: 1, reason: expect.stringMatching(/closed the connection|was cut off/), discarded },
    ])
    const [first, again] = played.server.requests
    expect(again?.body).toEqual(first?.body)
  })

  it.each(broken.filter(([, cut]) => cut >= needed))(
    'loses nothing by a %s after %i bytes',
    async (ending, cut) => {
      const played = await playOver(wire, [{ sse: bytes.subarray(0, cut), ending }])
      expectWhole(played)
      expect(played.retries).toEqual([])
    },
  )

  it.each([
    '',
    'HTTP/1.1 2',
    'HTTP/1.1 200 OK\r\nContent-Ty',
    'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n',
  ])('retries a connection that is reset after %j', async (raw) => {
    const played = await playOver(wire, [{ raw }, whole])
    expectWhole(played)
    expect(played.retries).toMatchObject([
      {
        reason: expect.stringMatching(/closed the connection before its answer was complete/),
        discarded: [],
      },
    ])
  })

  it('STRE-291: reads characters, CRLF and events that arrive byte by byte', async () => {
    const sse = bytes.toString().replace(/\r?\n/g, '\r\n')
    const played = await playOver(wire, [{ sse, chunkSizes: [1] }])
    expectWhole(played)
    expect(played.retries).toEqual([])
  })

  it.each<[string, Reply]>([
    ['an empty body', { sse: '' }],
    ['a body of pings', { sse: wire.ping.repeat(3) }],
    ['half a JSON body', { status: 200, body: '{"id": "x", "choices": [{"mess' }],
    ['half a compressed body', compressed(half, -20)],
    ['a JSON error', { status: 200, body: JSON.stringify(wire.busy) }],
    ['an error as the first event', { sse: wire.frame(wire.busy) }],
    [
      'an error in the middle',
      { sse: Buffer.concat([bytes.subarray(0, cuts[6]), Buffer.from(wire.frame(wire.busy))]) },
    ],
    ['an event that is damaged', { sse: damaged(events, -1 - wire.spare) }],
    ['an event that is damaged before anything is shown', { sse: damaged(events, 0) }],
  ])('retries after %s with status 200', async (_, reply) => {
    const played = await playOver(wire, [reply, whole])
    expectWhole(played)
    expect(played.retries).toMatchObject([{ attempt: 1, discarded: shownBefore(played.events) }])
  })

  it.each<[string, Reply]>([
    ['of another content type', { sse: bytes, headers: { 'content-type': 'text/html' } }],
    ['without a content type', { sse: bytes, headers: { 'content-type': '' } }],
    ['that is compressed', compressed(bytes)],
  ])('reads a reply %s', async (_, reply) => {
    const played = await playOver(wire, [reply])
    expectWhole(played)
    expect(played.retries).toEqual([])
  })

  it.each<[string, Reply, RegExp]>([
    [
      'a web page',
      { sse: '<!doctype html><html><title>Log in</title>' },
      /with a web page, "Log in" instead of a reply/,
    ],
    [
      'text',
      { sse: 'It works!', headers: { 'content-type': 'text/plain' } },
      /with text\/plain \(It works!\) instead of a reply/,
    ],
    [
      'a redirect',
      { status: 307, headers: { location: '/elsewhere' } },
      /redirect \(307\) to http:\/\/127\.0\.0\.1:\d+\/elsewhere, .*check the base URL/,
    ],
    [
      'an answer wrongly marked as compressed',
      { sse: bytes, headers: { 'content-encoding': 'gzip' } },
      /compressed/,
    ],
  ])('ends the turn at once after %s', async (_, reply, message) => {
    const { server, agent, turn, retries } = await playOver(wire, [reply])
    expect(turn).toMatchObject({
      stopReason: 'error',
      error: { code: 'protocol', message: expect.stringMatching(message) },
    })
    expect([retries, server.requests.length, agent.saved.length]).toEqual([[], 1, 1])
  })
})

/** A body with one event that lost the end of its JSON. */
function damaged(events: readonly string[], at: number): string {
  const cut = (events.at(at) ?? '').replace(/..(\s+)$/, '$1')
  return events.with(at, cut).join('')
}

/** A body compressed unasked, up to its end or this many bytes before. */
function compressed(bytes: Uint8Array, end?: number): Reply {
  const sse = gzipSync(bytes).subarray(0, end)
  return { sse, headers: { 'content-encoding': 'gzip' }, chunkSizes: [50] }
}

quickDescribe('a server that is slow', () => {
  it('STRE-285: is abandoned after the idle limit and asked again, even in mid-reply', async () => {
    await Promise.all(
      wires.map(async (wire) => {
        const sse = wire.events(blocks).slice(0, -3).join('')
        const silences: Reply[] = [silent, { sse: '', ending: 'hang' }, { sse, ending: 'hang' }]
        const played = await playOver(wire, [...silences, whole], { idleMs: 1_000 })
        expectWhole(played)
        const { host } = new URL(played.server.baseUrl)
        const reason = `${host} has been silent for 1 s`
        expect(played.retries).toMatchObject([{ reason }, { reason }, { reason }])
        expect(await played.left()).toEqual([true, true, true, false, false])
      }),
    )
  })

  it('is not asked again if it falls silent after a complete reply', async () => {
    await Promise.all(
      wires.map(async (wire) => {
        const events = wire.events(blocks)
        const sse = events.slice(0, events.length - wire.spare).join('')
        const played = await playOver(wire, [{ sse, ending: 'hang' }], { idleMs: 2_000 })
        expectWhole(played)
        expect(played.retries).toEqual([])
        expect(await played.left()).toEqual([true, false])
      }),
    )
  })

  it('STRE-286: is awaited as long as it sends signs of life', async () => {
    await Promise.all(
      wires.map(async (wire) => {
        const living: Reply = async (_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          for (let i = 0; i < 50; i++) {
            response.write(wire.ping)
            await setTimeout(50)
          }
          response.end(wire.events(blocks).join(''))
        }
        const played = await playOver(wire, [living], { idleMs: 2_000 })
        expectWhole(played)
        expect(played.retries).toEqual([])
      }),
    )
  })
})
