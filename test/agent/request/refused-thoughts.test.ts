import { describe, expect, it } from 'vitest'
import { withoutRefusedThoughts } from '../../../src/agent/request/refused-thoughts.ts'
import { openAgent, play, says } from '../../support/conversations/agent.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { openWire, type Wire, wireOf } from '../../support/models/wires.ts'

type Reply = FakeReply<unknown>

function refuses(message: string): Reply {
  return { status: 400, body: JSON.stringify({ error: { type: 'invalid_request_error', message } }) }
}

const thinks = (thinking: string, words: string): Reply => ({
  blocks: [{ type: 'thinking', thinking }, says(words)],
})

async function open(wire: Wire, ...replies: readonly Reply[]) {
  const { server, provider } = await openWire(wire, replies)
  const agent = openAgent({ provider })
  const say = (words: string) =>
    play(agent, { message: { ...user(text(words)), id: messageId(40 + agent.saved.length) } })
  /** The thoughts that each request held. */
  const sent = () =>
    server.requests.map((request) => ['Hm.', 'So.'].filter((one) => JSON.stringify(request).includes(one)))
  return { agent, say, sent }
}

describe.each([
  { dialect: 'anthropic', reason: 'messages.1.content.0: Invalid `signature` in `thinking` block' },
  { dialect: 'openai-responses', reason: 'The encrypted content for item rs_1 could not be verified.' },
] as const)('thinking that a server of $dialect refuses as not its own', ({ dialect, reason }) => {
  const wire = wireOf[dialect]

  it('is left out in this turn and all later ones, and the person is told', async () => {
    const { say, sent } = await open(
      wire,
      thinks('Hm.', 'One.'),
      refuses(reason),
      thinks('So.', 'Two.'),
      thinks('Well.', 'Three.'),
    )
    await say('one')
    const { events, turn } = await say('two')
    expect(turn.stopReason).toBe('end_turn')
    expect(events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))).toEqual([
      `${wire.dialect} refused the request (400): ${reason}; asking again without its earlier thinking`,
    ])
    expect((await say('three')).turn.stopReason).toBe('end_turn')
    expect(sent()).toEqual([[], ['Hm.'], [], ['So.']])
  })

  it('stays in the session, and goes to a model that has not refused it', async () => {
    const { agent, say } = await open(wire, thinks('Hm.', 'One.'), refuses(reason), thinks('So.', 'Two.'))
    await say('one')
    await say('two')
    const own = `${wire.dialect}/script`
    expect(withoutRefusedThoughts(agent.saved, `${wire.dialect}/other`)).toEqual(agent.saved)
    expect(JSON.stringify(agent.saved)).toContain('Hm.')
    expect(JSON.stringify(withoutRefusedThoughts(agent.saved, own))).not.toContain('Hm.')
    expect(JSON.stringify(withoutRefusedThoughts(agent.saved, own))).toContain('So.')
  })

  it('ends the turn if the request is refused without it too', async () => {
    const { say, sent } = await open(wire, thinks('Hm.', 'One.'), refuses(reason), refuses(`${reason} 2`))
    await say('one')
    const { turn } = await say('two')
    expect(turn.error).toMatchObject({ code: 'invalid', message: expect.stringMatching(/[^2]$/) })
    expect(sent()).toEqual([[], ['Hm.'], []])
  })
})

it('a request without thinking is sent once, whatever its server says', async () => {
  const { say, sent } = await open(wireOf.anthropic, refuses('Invalid `signature` in `thinking` block'))
  expect((await say('one')).turn.error).toMatchObject({ code: 'invalid' })
  expect(sent()).toEqual([[]])
})
