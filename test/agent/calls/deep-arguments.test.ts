import { describe, expect, it } from 'vitest'
import { isDeeper, type JsonValue, parseJson } from '../../../src/json-value.ts'
import { calls, openAgent, play, resultsOf, round, says } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { openWire, wires } from '../../support/models/wires.ts'
import { nested } from '../../support/nested.ts'

/** Returns the result that the model gets for a call with these arguments. */
async function resultOf(args: JsonValue) {
  const rounds = [round(calls('c', 'read', args)), round(says('I see.'))]
  const { turn } = await play(openAgent({ rounds, executor: scriptedTools({ read: gives('ran') }) }))
  return { result: resultsOf(turn.messages), stopReason: turn.stopReason }
}

describe('arguments of a call', () => {
  it('may be nested 200 deep', async () => {
    expect(await resultOf({ a: nested(199) })).toEqual({ result: ['c: ran'], stopReason: 'end_turn' })
  })

  it.each([201, 3_000])('are refused at %d levels, with an error for the model', async (levels) => {
    const { result, stopReason } = await resultOf({ a: nested(levels - 1) })
    expect(result).toEqual([
      expect.stringMatching(
        /^c failed: The arguments of read are nested deeper than 200 levels, so it was not run: /,
      ),
    ])
    expect(stopReason).toBe('end_turn')
  })
})

describe.each(wires)('a call over $dialect whose arguments are nested 3,000 deep', (wire) => {
  it('is refused, and the conversation continues', async () => {
    const block = calls('call12345', 'read', { a: nested(3_000) })
    const replies = [[block], [says('I see.')]].map((blocks) => ({ sse: wire.events(blocks).join('') }))
    const { provider } = await openWire(wire, replies)
    const executor = scriptedTools({ read: gives('ran') })
    const { turn } = await play(openAgent({ provider, executor }))
    expect(resultsOf(turn.messages)).toEqual([
      expect.stringMatching(/failed: The arguments of read are nested deeper than 200 levels/),
    ])
    expect(turn.stopReason).toBe('end_turn')
    expect(isDeeper(parseJson(JSON.stringify(turn.messages), Infinity) ?? null, 300)).toBe(false)
  })
})

it('checks no deeper than the limit', () => {
  expect(isDeeper(nested(100_000), 500)).toBe(true)
})
