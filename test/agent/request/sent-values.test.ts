import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/json-value.ts'
import { calls, openAgent, play, resultsOf, says } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { text, user } from '../../support/messages/messages.ts'
import { openWire, type Wire, wires } from '../../support/models/wires.ts'

/** Plays a reply with these blocks, then one more round. */
async function playOver(wire: Wire, blocks: Parameters<Wire['events']>[0], said = 'hello') {
  const replies = [blocks, [says('Done.')]].map((reply) => ({ sse: wire.events(reply).join('') }))
  const { server, provider } = await openWire(wire, replies)
  const agent = openAgent({ provider, executor: scriptedTools({ read: gives(`found ${said}`) }) })
  const { turn } = await play(agent, { message: user(text(said)) })
  return { server, agent, turn }
}

const half = '\ud83d'

describe.each(wires)('what is sent over $dialect', (wire) => {
  it('holds no half of a surrogate pair, and the session keeps what came', async () => {
    const args = { path: `a${half}`, [`b${half}`]: [half, '\\ud83d', '🪈'] }
    const blocks = [says(`I ${half} read`), calls('call12345', 'read', args)]
    const { server, agent, turn } = await playOver(wire, blocks, `hi ${half}`)
    expect(turn.stopReason).toBe('end_turn')
    const [, last] = server.requests
    const sent = JSON.stringify(last)
    // A text of six characters that looks like half a pair stays.
    expect(sent.replaceAll(/(?:\\\\)+ud83d/g, '')).not.toMatch(/\\ud[89a-f]/)
    expect(sent.match(/\ufffd/g)).toHaveLength(6)
    expect(JSON.stringify(agent.saved).match(/(?<!\\)\\ud83d/g)).toHaveLength(6)
  })

  it.each<[string, JsonValue]>([
    ['a list', [1]],
    ['a number', 5],
    ['a flag', true],
    ['a text', 'words'],
  ])('never holds arguments that are %s', async (_, args) => {
    const { server, turn } = await playOver(wire, [calls('call12345', 'read', args)])
    expect(turn.stopReason).toBe('end_turn')
    const [, last] = server.requests
    expect(JSON.stringify(last)).toMatch(/"(arguments|input|args)":("\{\}"|\{\})/)
  })

  it('runs a call whose arguments were encoded twice, and sends them as an object', async () => {
    const { server, turn } = await playOver(wire, [calls('call12345', 'read', JSON.stringify({ path: 'a' }))])
    expect(resultsOf(turn.messages)).toEqual([expect.stringMatching(/: found hello$/)])
    expect(JSON.stringify(server.requests[1])).toMatch(/"(arguments|input|args)":("\{\\"path|\{"path")/)
  })
})
