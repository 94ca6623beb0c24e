import { describe, expect, it } from 'vitest'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { calls, openAgent, play, says } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { openWire, wires } from '../../support/models/wires.ts'

type Reply = FakeReply<unknown>

const said = says('I write it.')
const call = calls('call_1', 'write', { path: 'a.txt' })
const silent: Reply = () => new Promise(() => {})
const busy: Reply = { status: 429, headers: { 'retry-after': '30' } }

describe.each(wires)('STRE-295: an interrupt over $dialect', (wire) => {
  /** A reply of these blocks without its end, followed by this ending. */
  const begun = (ending: 'hang' | 'end', last: string, ...blocks: readonly ScriptBlock[]): Reply => ({
    sse: [...wire.events(blocks).slice(0, -1 - wire.spare), last].join(''),
    ending,
  })
  const failed = begun('end', wire.frame(wire.busy), said, call)

  it.each<[where: string, reply: Reply, sign: string, isOpen: boolean, saved: readonly string[]]>([
    ['it waits for headers', silent, 'round_start', true, []],
    ['it waits for the first byte', { sse: '', ending: 'hang' }, 'round_start', true, []],
    ['the model writes text', begun('hang', '', said), 'text_delta', true, ['assistant']],
    [
      'the model writes a call',
      begun('hang', '', said, call),
      'tool_call_begin',
      true,
      ['assistant', 'tool_result'],
    ],
    ['it waits to ask a busy server again', busy, 'retry', false, []],
    ['it waits to retry a failed reply', failed, 'retry', false, []],
  ])('ends the turn at once while %s', async (_, reply, sign, isOpen, saved) => {
    const { server, provider } = await openWire(wire, [reply])
    const journal: string[] = []
    const executor = scriptedTools({ write: gives('written') }, journal)
    const agent = openAgent({ provider, executor, clock: createHandClock() })
    const abort = new AbortController()
    const seen = new Set<string>()
    const playing = play(agent, { signal: abort.signal, see: ({ type }) => void seen.add(type) })
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(1)
    await expect.poll(() => seen.has(sign), { interval: 5 }).toBe(true)
    abort.abort()
    const { turn } = await playing
    expect(turn).toMatchObject({ stopReason: 'aborted', rounds: 1 })
    expect(await server.requests[0]?.closed).toBe(isOpen)
    expect(agent.saved.map(({ type }) => type)).toEqual(['user', ...saved])
    expect(agent.saved[1]).toEqual(
      saved.length > 0 ? expect.objectContaining({ stopReason: 'aborted' }) : undefined,
    )
    expect([journal, server.requests.length, agent.engine.state]).toEqual([[], 1, 'idle'])
  })
})
