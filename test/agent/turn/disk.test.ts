import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { Message } from '../../../src/message.ts'
import { validateHistory } from '../../../src/provider.ts'
import type { SessionLog } from '../../../src/session.ts'
import {
  type AgentSetup,
  brief,
  calls,
  openAgent,
  play,
  round,
  says,
} from '../../support/conversations/agent.ts'
import { driven } from '../../support/conversations/driven.ts'
import { asks } from '../../support/conversations/questions.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'

const full = new PipeError('internal', 'cannot write the session: no space left on the device')

/** A disk that is full while `isFull` returns true. */
function agentOn(isFull: (message: Message) => boolean, setup: AgentSetup = {}) {
  const executor = scriptedTools({ write: gives('written') }, setup.journal)
  const rounds = [round(calls('tc_1', 'write'), calls('tc_2', 'write')), round(says('Done.'))]
  return openAgent({
    rounds,
    executor,
    beforeAppend: (message) => {
      if (isFull(message)) throw full
    },
    ...setup,
  })
}

describe('a session that cannot be written', () => {
  it('at the first message ends the turn before a request', async () => {
    const agent = agentOn(() => true)
    const { events, turn } = await play(agent)
    expect(turn).toEqual({
      messages: [],
      usage: { inputTokens: 0, outputTokens: 0 },
      rounds: 0,
      stopReason: 'error',
      error: full,
    })
    expect(events.map(brief)).toEqual(['turn_end error'])
    expect(agent.requests).toEqual([])
  })

  it('at a reply ends the turn before its calls run', async () => {
    const journal: string[] = []
    const agent = agentOn(({ type }) => type === 'assistant', { journal })
    const { turn } = await play(agent)
    expect(turn).toEqual({
      messages: [user(text('hello'))],
      usage: { inputTokens: 10, outputTokens: 5 },
      rounds: 1,
      stopReason: 'error',
      error: full,
    })
    expect(journal).not.toContain('run write')
    expect(agent.engine.state).toBe('idle')
  })

  it('at a result ends the turn before the next call, and the next turn adds the missing result', async () => {
    let isFull = true
    const journal: string[] = []
    const agent = agentOn(({ type }) => isFull && type === 'tool_result', { journal })
    const { turn } = await play(agent)
    expect(turn).toMatchObject({ stopReason: 'error', error: full })
    expect(journal.filter((line) => line === 'run write')).toHaveLength(1)
    expect(agent.saved).toEqual(agent.engine.history)
    isFull = false
    const next = await play(agent, { message: user(text('go on')) })
    expect(next.turn.stopReason).toBe('end_turn')
    validateHistory(agent.requests[1]?.messages ?? [])
    expect(agent.requests[1]?.messages.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'tool_result',
      'user',
    ])
  })

  it('because syncing fails ends the turn before a request', async () => {
    const log: SessionLog = {
      unsaved: undefined,
      id: countingIds().session(),
      append: async () => undefined,
      update: async () => undefined,
      sync: async () => {
        throw full
      },
      close: async () => undefined,
    }
    const agent = agentOn(() => false, { log })
    const { events, turn } = await play(agent)
    expect(turn).toMatchObject({ rounds: 0, stopReason: 'error', error: full })
    expect(events.map(brief)).toEqual(['turn_end error'])
    expect(agent.requests).toEqual([])
  })

  it('goes on with an answer that a full disk cannot hold', async () => {
    const failure = new PipeError('storage', 'cannot write the session', { details: { reason: 'ENOSPC' } })
    let isFull = false
    const log: SessionLog = {
      unsaved: undefined,
      id: countingIds().session(),
      append: async () => undefined,
      update: async () => {
        if (isFull) throw failure
      },
      sync: async () => undefined,
      close: async () => undefined,
    }
    const { conversation } = openAgent({
      log,
      rounds: [round(calls('tc_1', 'ask')), round(says('Done.'))],
      executor: scriptedTools({ ask: asks('Which way?') }),
    })
    const shared = driven(conversation)
    const seen: string[] = []
    const turn = await shared.run(user(text('hello')), {
      onQuestion: () => {
        isFull = true
        return { inputValue: 'left' }
      },
      onEvent: ({ type }) => void seen.push(type),
    })
    expect(turn).toMatchObject({ stopReason: 'end_turn' })
    expect(seen).toContain('interaction_responded')
    await shared.close()
  })
})
