import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/event.ts'
import { textContent } from '../../../src/message.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { openAgent, play, says } from '../../support/conversations/agent.ts'
import { openWire, wireOf } from '../../support/models/wires.ts'
import { shownReplies } from '../../support/sessions/reader.ts'

const notices = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))

describe.each(['openai-chat', 'ollama'] as const)('over %s', (dialect) => {
  const speak = async (...texts: readonly string[]) => {
    const replies = texts.map((said) => ({ blocks: [says(said)] }))
    const { server, provider } = await openWire(wireOf[dialect], replies)
    const agent = openAgent({ provider, clock: stillClock() })
    return { server, agent, ...(await play(agent)) }
  }

  it('thinking that came as text is struck and shown again, without another request', async () => {
    const { server, agent, events, turn } = await speak('Let me see.\n</think>\n\nIt is 4.')
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    expect(server.requests).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'retry')).toMatchObject([
      { attempt: 0, waitMs: 0, discarded: ['text'], reason: `${dialect} wrote its thinking into its answer` },
    ])
    expect(shownReplies(events)).toEqual([['Let me see.', 'It is 4.']])
    expect(notices(events)).toEqual([
      expect.stringContaining(`providers.${dialect}.quirks.think_tags "closing"`),
    ])
    expect(agent.saved.map(textContent)).toEqual(['hello', 'It is 4.'])
  })

  it('thinking alone is no answer', async () => {
    const { events, turn } = await speak('<think>Let me see.</think>', 'It is 4.')
    expect(shownReplies(events)).toEqual([['It is 4.']])
    expect(turn.stopReason).toBe('end_turn')
  })

  it.each([
    '<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>',
    '<invoke name="read"></invoke>',
    'I look.\n[TOOL_CALLS][{"name": "read"}]',
  ])('the call %j that is text never runs, and the user is told', async (said) => {
    const { agent, events, turn } = await speak(said)
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    expect(agent.saved.map(textContent)).toEqual(['hello', said])
    expect(notices(events)).toEqual([
      expect.stringMatching(/sent a tool call as text, which never runs: .*--jinja/),
    ])
  })

  it('a call in a code block is an example', async () => {
    const { events } = await speak(
      'Write it so:\n```\n<tool_call>{}</tool_call>\n```\nor `<invoke name="a">`.',
    )
    expect(notices(events)).toEqual([])
  })
})
