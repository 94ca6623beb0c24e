import { describe, expect, it } from 'vitest'
import { openSpending } from '../../../src/agent/limits/budget.ts'
import type { AgentFact, StreamEvent } from '../../../src/event.ts'
import type { AssistantMessage, ToolResultMessage } from '../../../src/message.ts'
import type { ToolExecutor } from '../../../src/tool.ts'
import { noUsage } from '../../../src/usage.ts'
import { brief, calls, openAgent, play, round, says } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { call, messageId, text, timestamp, user } from '../../support/messages/messages.ts'

const usage = { inputTokens: 10, outputTokens: 5 }
const twice = { inputTokens: 20, outputTokens: 10 }

const asked = user(text('hello'))

function reply(number: number, fields: Pick<AssistantMessage, 'content' | 'stopReason'>): AssistantMessage {
  return {
    type: 'assistant',
    id: messageId(number),
    timestamp,
    provider: 'replay',
    model: 'script',
    usage,
    ...fields,
  }
}

function stamped(facts: readonly (AgentFact | StreamEvent)[]) {
  const agentId = countingIds().agent()
  return facts.map((fact, i) => ({ ...fact, agentId, seq: i + 1 }))
}

describe('a turn', () => {
  it('with a plain answer reports each step, numbered without gaps', async () => {
    const agent = openAgent({ rounds: [round(says('Good day.'))] })
    const { events, turn } = await play(agent)
    const answer = reply(2, { content: [text('Good day.')], stopReason: 'end_turn' })
    expect(events).toEqual(
      stamped([
        { type: 'turn_start', message: asked },
        { type: 'state', from: 'idle', to: 'thinking' },
        { type: 'round_start', round: 1, provider: 'replay', model: 'script' },
        { type: 'text_delta', id: 'block_0', delta: 'Good' },
        { type: 'text_delta', id: 'block_0', delta: ' day.' },
        { type: 'message', message: answer },
        { type: 'state', from: 'thinking', to: 'toolcall' },
        { type: 'state', from: 'toolcall', to: 'reflecting' },
        { type: 'round_end', round: 1, stopReason: 'end_turn', usage },
        { type: 'state', from: 'reflecting', to: 'idle' },
        { type: 'turn_end', stopReason: 'end_turn', rounds: 1, usage },
      ]),
    )
    expect(turn).toEqual({ messages: [asked, answer], usage, rounds: 1, stopReason: 'end_turn' })
    expect(agent.saved).toEqual([asked, answer])
    expect(agent.engine.history).toEqual([asked, answer])
  })

  it('runs a call between its reply and the next', async () => {
    const executor = scriptedTools({ read: gives('package auth') })
    const rounds = [round(says('Wait.'), calls('tc_1', 'read', { path: 'auth.ts' })), round(says('Done.'))]
    const agent = openAgent({ rounds, executor })
    const { events, turn } = await play(agent)
    const action = reply(2, { content: [text('Wait.'), call('tc_1')], stopReason: 'tool_use' })
    const result: ToolResultMessage = {
      type: 'tool_result',
      id: messageId(3),
      toolCallId: 'tc_1',
      toolName: 'read',
      content: [text('package auth')],
      isError: false,
      timestamp,
    }
    const answer = reply(4, { content: [text('Done.')], stopReason: 'end_turn' })
    const args = { path: 'auth.ts' }
    expect(events).toEqual(
      stamped([
        { type: 'turn_start', message: asked },
        { type: 'state', from: 'idle', to: 'thinking' },
        { type: 'round_start', round: 1, provider: 'replay', model: 'script' },
        { type: 'text_delta', id: 'block_0', delta: 'Wait.' },
        { type: 'tool_call_begin', id: 'tc_1', name: 'read' },
        { type: 'tool_call_delta', id: 'tc_1', delta: '{"path":"auth.ts"}' },
        { type: 'tool_call_end', call: call('tc_1') },
        { type: 'message', message: action },
        { type: 'state', from: 'thinking', to: 'toolcall' },
        { type: 'tool_start', callId: 'tc_1', name: 'read', arguments: args },
        { type: 'tool_end', callId: 'tc_1', isError: false, content: [text('package auth')], durationMs: 0 },
        { type: 'message', message: result },
        { type: 'state', from: 'toolcall', to: 'reflecting' },
        { type: 'round_end', round: 1, stopReason: 'tool_use', usage },
        { type: 'state', from: 'reflecting', to: 'idle' },
        { type: 'state', from: 'idle', to: 'thinking' },
        { type: 'round_start', round: 2, provider: 'replay', model: 'script' },
        { type: 'text_delta', id: 'block_0', delta: 'Done.' },
        { type: 'message', message: answer },
        { type: 'state', from: 'thinking', to: 'toolcall' },
        { type: 'state', from: 'toolcall', to: 'reflecting' },
        { type: 'round_end', round: 2, stopReason: 'end_turn', usage },
        { type: 'state', from: 'reflecting', to: 'idle' },
        { type: 'turn_end', stopReason: 'end_turn', rounds: 2, usage: twice },
      ]),
    )
    expect(turn).toEqual({
      messages: [asked, action, result, answer],
      usage: twice,
      rounds: 2,
      stopReason: 'end_turn',
    })
    expect(agent.saved).toEqual(turn.messages)
    expect(agent.requests.map(({ messages }) => messages)).toEqual([[asked], [asked, action, result]])
  })

  it('sends the system prompt, the tools and the options of the conversation', async () => {
    const executor: ToolExecutor = scriptedTools({ read: gives('') })
    const options = { executor, maxReplyTokens: 100, temperature: 0.5, systemPrompt: 'Be kind.' }
    const agent = openAgent({ rounds: [round(says('Yes.'))], ...options })
    await play(agent)
    expect(agent.requests).toEqual([
      {
        model: 'script',
        systemPrompt: 'Be kind.',
        messages: [asked],
        tools: executor.tools(),
        maxTokens: 100,
        temperature: 0.5,
      },
    ])
  })

  it('saves the message before the request, and the reply before its calls', async () => {
    const journal: string[] = []
    const executor = scriptedTools({ read: gives('text', { readOnly: true }), write: gives('') }, journal)
    const rounds = [round(calls('tc_1', 'read'), calls('tc_2', 'write')), round(says('Done.'))]
    await play(openAgent({ rounds, executor, journal }))
    expect(journal).toEqual([
      'append user',
      'sync',
      'request',
      'append assistant',
      'sync',
      'run read',
      'end read',
      'append tool_result',
      'run write',
      'end write',
      'append tool_result',
      'request',
      'append assistant',
      'sync',
    ])
  })

  it('reports a message only after the session has it', async () => {
    const executor = scriptedTools({ read: gives('text') })
    const rounds = [round(calls('tc_1', 'read')), round(says('Done.'))]
    const agent = openAgent({ rounds, executor })
    const late: string[] = []
    await play(agent, {
      see: (event) => {
        if (event.type !== 'message' && event.type !== 'turn_start') return
        if (agent.saved.at(-1) !== event.message) late.push(brief(event))
      },
    })
    expect(late).toEqual([])
    expect(agent.saved).toHaveLength(4)
  })

  it('adds its usage to that of the session', async () => {
    const rounds = [round(says('One.')), round(says('Two.'))]
    const agent = openAgent({
      rounds,
      spending: openSpending({}, { usage: { inputTokens: 1000, outputTokens: 100 } }),
    })
    const first = await play(agent)
    const second = await play(agent, { message: user(text('and now?')) })
    expect([first.turn.usage, second.turn.usage]).toEqual([usage, usage])
    expect(agent.engine.usage).toEqual({ inputTokens: 1020, outputTokens: 110 })
  })

  it('saves the usage so far, the head and the model with each message', async () => {
    const agent = openAgent({ rounds: [round(says('Yes.'))] })
    await play(agent)
    expect(agent.states).toEqual([
      { usage: noUsage, head: messageId(1), model: 'replay/script', pending: [], title: 'hello' },
      { usage, head: messageId(2), model: 'replay/script', pending: [] },
    ])
  })

  it('continues the given history', async () => {
    const earlier = [asked, reply(9, { content: [text('Hello.')], stopReason: 'end_turn' })]
    const agent = openAgent({ messages: earlier, rounds: [round(says('unheard')), round(says('Well.'))] })
    const { turn } = await play(agent, { message: user(text('And?')) })
    expect(agent.requests.map(({ messages }) => messages)).toEqual([[...earlier, user(text('And?'))]])
    expect(turn.messages).toEqual([
      user(text('And?')),
      reply(2, { content: [text('Well.')], stopReason: 'end_turn' }),
    ])
    expect(agent.saved).toEqual(turn.messages)
  })

  it('keeps the end and cost of an empty reply, but no message', async () => {
    const agent = openAgent({ rounds: [{ ...round(), stopReason: 'refusal' }] })
    const { events, turn } = await play(agent)
    expect(turn).toEqual({ messages: [asked], usage, rounds: 1, stopReason: 'refusal' })
    expect(agent.engine.usage).toEqual(usage)
    expect(events.map(brief)).toEqual([
      'turn_start',
      'state thinking',
      'round_start 1',
      'state toolcall',
      'state reflecting',
      'round_end refusal',
      'state idle',
      'turn_end refusal',
    ])
  })

  it('ends after a reply with tool_use but no call', async () => {
    const rounds = [{ ...round(says('I would.')), stopReason: 'tool_use' } as const, round(says('again'))]
    const { turn } = await play(openAgent({ rounds }))
    expect(turn).toMatchObject({ rounds: 1, stopReason: 'tool_use' })
  })

  it('stops at its limit of rounds with all calls answered', async () => {
    const executor = scriptedTools({ read: gives('text') })
    const rounds = [round(calls('tc_1', 'read')), round(calls('tc_2', 'read')), round(says('never'))]
    const agent = openAgent({ rounds, executor, limits: { maxRounds: 2 } })
    const { events, turn } = await play(agent)
    expect(turn).toMatchObject({ rounds: 2, stopReason: 'error', usage: twice })
    expect(turn.error).toMatchObject({ code: 'turn_limit', message: expect.stringContaining('2 rounds') })
    expect(agent.saved.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'assistant',
      'tool_result',
    ])
    expect(events.slice(-2).map(brief)).toEqual(['state idle', 'turn_end error'])
    expect(agent.requests).toHaveLength(2)
  })

  it('closes its session with the conversation', async () => {
    const agent = openAgent({ rounds: [round(says('Yes.'))] })
    await play(agent)
    await agent.conversation.close()
    expect(agent.journal.at(-1)).toBe('close')
  })
})
