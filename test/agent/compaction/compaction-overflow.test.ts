import fc from 'fast-check'
import { expect, onTestFinished } from 'vitest'
import { exitCodes, PipeError } from '../../../src/error.ts'
import { createTransport } from '../../../src/http/transport.ts'
import { type Message, textContent } from '../../../src/message.ts'
import { createChatProvider } from '../../../src/openai/chat/provider.ts'
import { validateRequest } from '../../../src/provider.ts'
import type { Adapter } from '../../../src/stream.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { openAgent, play } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import {
  anyHistory,
  earlier,
  long,
  looked,
  sent,
  talked,
  told,
  unmeasured,
} from '../../support/messages/histories.ts'
import { countingIds, otherIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import { answers, choose, uses } from '../../support/models/choices.ts'
import { startFakeServer } from '../../support/models/fake-server.ts'
import { outlineRequest, say } from '../../support/models/replies.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'

const heading = '[The conversation before this, as a summary]'
const leftOut =
  '[The conversation before this is left out to make room, without a summary: look again at what you need to know]'

/** A server that refuses the request as too long. */
// biome-ignore lint/correctness/useYield: it fails before it says anything
const tooLong: Adapter = async function* () {
  throw new PipeError('context_overflow', 'the conversation is too long for big (400)', {
    details: { status: '400' },
  })
}

const helpless = {
  code: 'context_overflow',
  message:
    'the conversation is too long for big (400); no more of it can be summarised: shorten the message or its attachments, or choose a model with a larger context window',
  details: { status: '400' },
}

/** Plays a turn after these messages. Checks that the session keeps them and that servers would accept each request. */
async function goOn(messages: readonly Message[], ...adapters: readonly Adapter[]) {
  const choice = choose('a/big', adapters)
  const agent = openAgent({
    model: choice,
    newId: otherIds(),
    messages,
    executor: scriptedTools({ read: gives(long(40_000)) }),
  })
  const played = await play(agent, { message: told('hello') })
  expect(agent.engine.history).toEqual([...messages, ...agent.saved])
  for (const request of choice.requests) validateRequest(request)
  return { agent, choice, requests: choice.requests.map(sent), ...played }
}

const before = earlier(
  ...talked('One?', long(5_000, 'a')),
  ...talked('Two?', long(5_000, 'b')),
  ...talked('Three?', 'Yes.'),
)

quickDescribe('a request that is too long for its server', () => {
  it('is shortened by a summary and sent once more', async () => {
    const { turn, requests } = await goOn(before, tooLong, answers('They counted.'), answers('Fine.'))
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    expect(requests[0]).toEqual([...before.map(textContent), 'hello'])
    expect(requests[2]).toEqual([`${heading}\n\nThey counted.`, 'Three?', 'Yes.', 'hello'])
  })

  it('fails if it is still too long', async () => {
    const { turn, requests } = await goOn(before, tooLong, answers('They counted.'), tooLong)
    expect(turn).toMatchObject({ stopReason: 'error', rounds: 1, error: helpless })
    expect(exitCodes.context_overflow).toBe(42)
    expect(requests).toHaveLength(3)
  })

  it.each<[string, readonly Message[]]>([
    ['nothing', []],
    ['no reply', earlier(user(text(long(50_000))))],
  ])('fails at once with %s before its last message', async (_, messages) => {
    const { turn, requests } = await goOn(messages, tooLong)
    expect(turn).toMatchObject({ stopReason: 'error', rounds: 1, error: helpless })
    expect(requests).toHaveLength(1)
  })

  it('fails at once if its last message outweighs everything else', async () => {
    const choice = choose('a/big', [tooLong])
    const agent = openAgent({ model: choice, messages: earlier(...talked('One?', 'Yes.')) })
    const { turn } = await play(agent, { message: told(long(50_000)) })
    expect(turn.error).toMatchObject(helpless)
    expect(choice.requests).toHaveLength(1)
  })

  it('fails at once with other advice if compaction is off', async () => {
    const choice = choose('a/big', [tooLong])
    const agent = openAgent({ model: choice, messages: before, autoCompact: false })
    const { turn } = await play(agent, { message: told('hello') })
    expect(turn.error?.message).toBe(
      'the conversation is too long for big (400); compaction.auto is off: summarise the conversation with /compact, or choose a model with a larger context window',
    )
    expect(choice.requests).toHaveLength(1)
  })

  it('drops old tool output first', async () => {
    const messages = earlier(
      ...talked('One?', 'Yes.'),
      ...looked('tc_1', long(20_000)),
      unmeasured(text('So.')),
    )
    const { requests } = await goOn(messages, tooLong, answers('Fine.'))
    expect(requests[1]).toEqual([
      'One?',
      'Yes.',
      'assistant',
      '[left out to make room: 80000 characters that read gave; call it again if that is needed]',
      'So.',
      'hello',
    ])
  })

  it('drops the newest output if that alone is too long', async () => {
    const { requests } = await goOn([], uses('tc_1', 'read'), tooLong, answers('I will read less.'))
    expect(requests[2]).toEqual([
      'hello',
      'assistant',
      '[left out to make room: 160000 characters that read gave; call it again if that is needed]',
    ])
  })

  it('drops both if both are too long', async () => {
    const messages = earlier(...talked('One?', long(15_000, 'a')), ...talked('Two?', long(15_000, 'b')))
    const replies = [uses('tc_1', 'read'), tooLong, answers('They counted.'), answers('I will read less.')]
    const { requests } = await goOn(messages, ...replies)
    expect(requests[3]).toEqual([
      `${heading}\n\nThey counted.The request that is being worked on, word for word:hello`,
      'assistant',
      '[left out to make room: 160000 characters that read gave; call it again if that is needed]',
    ])
  })

  it('can happen again in the next round', async () => {
    const replies = [tooLong, answers('They counted.'), uses('tc_1', 'read'), tooLong, answers('Fine.')]
    const { turn } = await goOn(before, ...replies)
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 2 })
  })

  it('asks for a summary of half if the whole is too long, then leaves it out', async () => {
    const { turn, requests } = await goOn(before, tooLong, tooLong, tooLong, answers('Fine.'))
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    expect(requests[1]?.[0]).toContain('\nAgent:\n bbb')
    expect(requests[3]).toEqual([leftOut, 'Three?', 'Yes.', 'hello'])
  })
})

it('after 400, prompt is too long, a server gets a summary request and then one that fits', async () => {
  const server = await startFakeServer(
    { status: 400, body: '{"error":{"type":"invalid_request_error","message":"prompt is too long"}}' },
    say('They counted.'),
    say('Fine.'),
  )
  const transport = createTransport()
  onTestFinished(async () => {
    transport.close()
    await server.close()
    expect(server.violations).toEqual([])
  })
  const access = {
    name: 'openai',
    baseUrl: server.baseUrl,
    transport,
    newId: countingIds(),
    clock: stillClock(),
  }
  const agent = openAgent({ model: { provider: createChatProvider(access), model: 'm-1' }, messages: before })
  const { turn } = await play(agent)
  expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
  expect(server.requests.map(({ body }) => outlineRequest(body)).at(-1)).toEqual([
    'system: Be brief.',
    `user: ${heading}\n\nThey counted.\n\nThree?`,
    'assistant: Yes.',
    'user: hello',
  ])
})

sizedIt(
  'compacts any history to a request that servers accept, and the session keeps everything',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.boolean(), async (messages, answered) => {
        const summaries = answered ? [answers('They talked.')] : [answers(''), answers('')]
        const replies = [tooLong, ...summaries, answers('Fine.'), answers('Fine.')]
        const { choice } = await goOn(messages, ...replies)
        expect(choice.requests.length).toBeLessThanOrEqual(2 + summaries.length)
      }),
      { numRuns: sized(100, 20) },
    )
  },
)
