import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../src/machine/model-server.ts'
import { textContent } from '../../../src/message.ts'
import { openAgent, play, says } from '../../support/conversations/agent.ts'
import { earlier, long, talked, told } from '../../support/messages/histories.ts'
import { otherIds } from '../../support/messages/ids.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { openWire, type Wire, wireOf, wires } from '../../support/models/wires.ts'
import { readRecordings, recordingsFolder } from '../../support/sessions/recordings.ts'

type Reply = FakeReply<unknown>

const before = earlier(...talked('One?', long(5_000, 'a')), ...talked('Two?', long(5_000, 'b')))
const summary: Reply = { blocks: [says('They counted.')] }
const done: Reply = { blocks: [says('Fine.')] }

const said = (message: string, fields: object = {}) => ({ error: { message, ...fields } })

/** The answer of each dialect to a request that is too long: status and error. */
const refusals: Readonly<Record<Dialect, readonly (readonly [status: number, error: object])[]>> = {
  anthropic: [
    [400, said('prompt is too long: 9 tokens > 8 maximum', { type: 'invalid_request_error' })],
    [413, said('Request exceeds the maximum size', { type: 'request_too_large' })],
  ],
  'openai-chat': [
    [400, said("This model's maximum context length is 8 tokens.", { code: 'context_length_exceeded' })],
    [
      429,
      said('The input or output tokens must be reduced in order to run.', { code: 'rate_limit_exceeded' }),
    ],
    [500, said('the request exceeds the available context size', { type: 'exceed_context_size_error' })],
  ],
  'openai-responses': [
    [400, said('Your input exceeds the context window.', { code: 'context_length_exceeded' })],
  ],
  gemini: [
    [400, said('The input token count (9) exceeds the maximum number of tokens allowed (8).', { code: 400 })],
  ],
  ollama: [[400, { error: 'the input length exceeds the context length' }]],
}

/** Plays a turn of a long conversation against a server with these replies. */
async function goOn(wire: Wire, ...replies: readonly Reply[]) {
  const { server, provider } = await openWire(wire, replies)
  const agent = openAgent({ provider, newId: otherIds(), messages: before })
  const { events, turn } = await play(agent, { message: told('hello') })
  expect(agent.engine.history).toEqual([...before, ...agent.saved])
  const types = events.map(({ type }) => type)
  return {
    turn,
    agent,
    compactions: types.filter((type) => type === 'compaction').length,
    retries: types.includes('retry'),
    asked: server.requests.length,
  }
}

/** Checks that a summary shortens the request, which is sent once more, and that the turn ends if that is too long. */
async function expectRoomIsMade(wire: Wire, tooLong: Reply): Promise<void> {
  const helped = await goOn(wire, tooLong, summary, done)
  expect(helped).toMatchObject({
    turn: { stopReason: 'end_turn', rounds: 1 },
    compactions: 1,
    retries: false,
    asked: 3,
  })
  expect(helped.agent.saved.map(textContent).at(-1)).toBe('Fine.')
  const helpless = await goOn(wire, tooLong, summary, tooLong)
  expect(helpless).toMatchObject({
    turn: {
      stopReason: 'error',
      error: {
        code: 'context_overflow',
        message: expect.stringContaining('choose a model with a larger context window'),
      },
    },
    compactions: 1,
    retries: false,
    asked: 3,
  })
}

describe.each(wires)('STRE-294: a conversation that is too long over $dialect', (wire) => {
  it.each(refusals[wire.dialect])(
    'is shortened once after %i %j, also with status 200',
    async (status, error) => {
      await expectRoomIsMade(wire, { status, body: JSON.stringify(error) })
      await expectRoomIsMade(wire, { status: 200, body: JSON.stringify(error) })
      await expectRoomIsMade(wire, { sse: wire.frame(error) })
    },
  )

  it('is shortened on demand if nothing more fits', async () => {
    const [[status, error] = [400, {}]] = refusals[wire.dialect]
    const tooLong: Reply = { status, body: JSON.stringify(error) }
    const { server, provider } = await openWire(wire, [tooLong, summary, done])
    const agent = openAgent({ provider, newId: otherIds(), messages: before })
    agent.engine.send({ type: 'compact' })
    const { turn } = await play(agent, { message: told('hello') })
    expect(turn.stopReason).toBe('end_turn')
    expect(server.requests).toHaveLength(3)
    expect(agent.engine.history).toEqual([...before, ...agent.saved])
  })
})

it('a reply limit that leaves no room is refused with advice, and the conversation stays whole', async () => {
  const words =
    "This model's maximum context length is 8192 tokens. However, you requested 8700 tokens (200 in the messages, 8500 in the completion)."
  const body = JSON.stringify(said(words, { code: 'context_length_exceeded' }))
  const { server, provider } = await openWire(wireOf['openai-chat'], [{ status: 400, body }])
  const agent = openAgent({ provider, newId: otherIds(), messages: before, maxReplyTokens: 8_500 })
  const { events, turn } = await play(agent, { message: told('hello') })
  expect(turn.error).toMatchObject({
    code: 'invalid',
    message: `openai-chat refused the request (400): ${words} To mend it, lower it with --max-output-tokens, or set "max_output" under models."openai-chat/script"`,
  })
  expect(events.map(({ type }) => type)).not.toContain('compaction')
  expect(server.requests).toHaveLength(1)
})

describe.skipIf(recordingsFolder === '')('recorded refusals of conversations that are too long', () => {
  const recorded = wires.flatMap((wire) =>
    readRecordings(wire.dialect).flatMap(({ name, status, bytes }) =>
      name.includes('handles-context') ? [{ wire, name, status, bytes }] : [],
    ),
  )

  it.each(recorded)('$name', async ({ wire, status, bytes }) => {
    await expectRoomIsMade(wire, { status, body: bytes.toString() })
  })

  it('exist', () => expect(recorded.length).toBeGreaterThan(2))
})
