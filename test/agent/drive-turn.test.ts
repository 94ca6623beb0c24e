import { expect, it } from 'vitest'
import { driveTurn } from '../../src/agent/drive-turn.ts'
import type { AgentEvent } from '../../src/event.ts'
import { calls, openAgent, resultsOf, round, says } from '../support/conversations/agent.ts'
import { asks } from '../support/conversations/questions.ts'
import { scriptedTools } from '../support/conversations/scripted-tools.ts'
import { text, user } from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'

const hello = user(text('hello'))
const { signal } = new AbortController()

const asking = () =>
  openAgent({
    rounds: [round(calls('tc_1', 'ask')), round(says('Done.'))],
    executor: scriptedTools({ ask: asks('Which way?') }),
  }).conversation

it('answers a question with what the handler returns', async () => {
  const { engine } = asking()
  const seen: AgentEvent['type'][] = []
  await driveTurn(engine, hello, {
    signal,
    onEvent: ({ type }) => void seen.push(type),
    onQuestion: async ({ id }) => ({ interactionId: id, answeredBy: 'user_ann', inputValue: 'left' }),
  })
  expect(resultsOf(engine.history)).toEqual(['tc_1: left'])
  expect(seen).toContain('interaction_responded')
})

it.each(['onEvent', 'onQuestion'])('saves the turn if %s throws, and then throws that', async (name) => {
  const { engine } = asking()
  const failure = new Error('the reader is gone')
  const fail = () => {
    throw failure
  }
  const onEvent = ({ type }: AgentEvent) => (type === 'tool_start' ? fail() : undefined)
  const handlers =
    name === 'onEvent' ? { onEvent } : { onEvent: () => undefined, onQuestion: async () => fail() }
  expect(await thrown(() => driveTurn(engine, hello, { signal, ...handlers }))).toBe(failure)
  expect(engine.state).toBe('idle')
  expect(engine.history.map(({ type }) => type)).toEqual(['user', 'assistant', 'tool_result'])
})
