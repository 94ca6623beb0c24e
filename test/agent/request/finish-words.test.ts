import { describe, expect, it } from 'vitest'
import { exitCodes } from '../../../src/error.ts'
import type { AgentEvent } from '../../../src/event.ts'
import { judgeTurn } from '../../../src/line/outcome.ts'
import { type Message, textContent } from '../../../src/message.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { calls, openAgent, play, resultsOf, says } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { earlier, long, talked } from '../../support/messages/histories.ts'
import { otherIds } from '../../support/messages/ids.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { openWire, wireOf } from '../../support/models/wires.ts'
import { shownReplies } from '../../support/sessions/reader.ts'

type Reply = FakeReply<unknown>

/** A reply of this text that ends with this word. */
const ends = (finishReason: string, said = 'Half'): Reply => ({ blocks: [says(said)], finishReason })
const done: Reply = { blocks: [says('Done.')] }
const before = earlier(
  ...talked('One?', long(5_000, 'a')),
  ...talked('Two?', long(5_000, 'b')),
  ...talked('Three?', 'Yes.'),
)

/** Plays a turn over Chat Completions. */
async function playOver(replies: readonly Reply[], messages: readonly Message[] = []) {
  const { server, provider } = await openWire(wireOf['openai-chat'], replies)
  const executor = scriptedTools({ read: gives('text') })
  const agent = openAgent({ provider, executor, messages, newId: otherIds(), clock: stillClock() })
  const { events, turn } = await play(agent)
  return { server, agent, events, turn, exitCode: judgeTurn(turn, undefined).exitCode }
}

function notices(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
}

const told = (word: string) =>
  `openai-chat ended its reply with the reason "${word}", which pipe does not know: the answer may be incomplete`

describe('a reply that ends with a word', () => {
  it.each(['network_error', 'engine_error', 'timeout', 'cancelled'])(
    'of an error, %s, is asked for again',
    async (word) => {
      const { events, turn, exitCode } = await playOver([ends(word), done])
      expect(shownReplies(events)).toEqual([['Done.']])
      expect([turn.stopReason, exitCode, notices(events)]).toEqual(['end_turn', 0, []])
      expect(events.filter(({ type }) => type === 'retry')).toMatchObject([
        { attempt: 1, reason: `openai-chat failed: ${word}` },
      ])
    },
  )

  it('of an error each time fails', async () => {
    const { turn, exitCode } = await playOver(Array(6).fill(ends('network_error')))
    expect([turn.error?.code, exitCode]).toEqual(['overloaded', 51])
  })

  it.each(['sensitive', 'prohibited_content', 'recitation', 'spii', 'blocklist'])(
    'of safety, %s, is a refusal',
    async (word) => {
      const { server, turn, exitCode } = await playOver([ends(word)])
      expect([turn.stopReason, exitCode, server.requests.length]).toEqual(['refusal', exitCodes.refused, 1])
    },
  )

  it('that is unknown stands, and the user is told', async () => {
    const { events, turn, exitCode } = await playOver([ends('sleepy', 'All of it.')])
    expect(shownReplies(events)).toEqual([['All of it.']])
    expect([turn.stopReason, exitCode, notices(events)]).toEqual(['unknown', 0, [told('sleepy')]])
  })

  it('for calls stands without one, and the user is told', async () => {
    const { events, turn, exitCode } = await playOver([ends('tool_calls', 'I edit it now.')])
    expect(shownReplies(events)).toEqual([['I edit it now.']])
    expect([turn.stopReason, exitCode, notices(events)]).toEqual([
      'end_turn',
      0,
      ['openai-chat said that the model calls tools, and sent no call: the answer may be incomplete'],
    ])
  })

  it('for calls with one in the text is told apart by that alone', async () => {
    const { events } = await playOver([ends('tool_calls', '<tool_call>{}</tool_call>')])
    expect(notices(events)).toEqual([expect.stringContaining('sent a tool call as text')])
  })

  it('that is unknown runs its calls, and the user is told once a turn', async () => {
    const call: Reply = { blocks: [calls('call_1', 'read', {})], finishReason: 'sleepy' }
    const { agent, events, turn } = await playOver([call, call, done])
    expect([turn.stopReason, resultsOf(agent.saved).length]).toEqual(['end_turn', 2])
    expect(notices(events)).toEqual([told('sleepy')])
  })
})

describe('a reply that a full context window cut', () => {
  const full = ends('model_context_window_exceeded')

  it('is asked for again after a compaction', async () => {
    const summary: Reply = { blocks: [says('They counted.')] }
    const { events, turn, exitCode } = await playOver([full, summary, done], before)
    expect(shownReplies(events)).toEqual([['Done.']])
    expect(events.map(({ type }) => type)).toContain('compaction')
    expect([turn.stopReason, exitCode]).toEqual(['end_turn', 0])
  })

  it('is kept with advice if nothing can be summarised', async () => {
    const { turn, exitCode } = await playOver([full])
    expect(turn.messages.map(textContent)).toEqual(['hello', 'Half'])
    expect([turn.stopReason, exitCode, exitCodes.length]).toEqual(['length', 48, 48])
    expect(turn.error?.message).toBe(
      'the answer was cut: the context window of fake-1 is full; no more of it can be summarised: shorten the message or its attachments, or choose a model with a larger context window',
    )
  })
})
