import { describe, expect, it } from 'vitest'
import { branchOf } from '../../../src/history/branch.ts'
import { beforeFirst } from '../../../src/id.ts'
import { isLoopMessage, type Message, spokenText } from '../../../src/message.ts'
import {
  type AgentUnderTest,
  calls,
  openAgent,
  play,
  round,
  says,
} from '../../support/conversations/agent.ts'
import { asks } from '../../support/conversations/questions.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'
import { recordingAudit } from '../../support/sessions/recording-audit.ts'
import { thrown } from '../../support/thrown.ts'

const { signal } = new AbortController()

function asking(number: number, words: string) {
  return { ...user(text(words)), id: messageId(100 + number) }
}

/** A conversation of two turns. */
async function twoTurns(setup: Parameters<typeof openAgent>[0] = {}) {
  const rounds = [round(says('one')), round(says('two')), round(says('three'))]
  const agent = openAgent({ rounds, ...setup })
  await play(agent, { message: asking(1, 'first') })
  await play(agent, { message: asking(2, 'second') })
  return agent
}

function words(messages: readonly Message[]): readonly string[] {
  return messages.map(spokenText)
}

/** The conversation as a later run loads it. */
function reloaded({ saved, states }: AgentUnderTest): readonly string[] {
  const head = states.findLast((state) => state.head !== undefined)?.head
  return words(branchOf({ messages: saved, ...(head === undefined ? {} : { head }) }))
}

describe('a conversation that goes back', () => {
  it('goes on from there, and keeps the branch that is left in its session', async () => {
    const agent = await twoTurns()
    await agent.conversation.goTo(agent.engine.history.slice(0, 2), { signal })
    expect(words(agent.engine.history)).toEqual(['first', 'one'])
    expect(reloaded(agent)).toEqual(['first', 'one'])
    await play(agent, { message: asking(3, 'third') })
    expect(words(agent.requests.at(-1)?.messages ?? [])).toEqual(['first', 'one', 'third'])
    expect(words(agent.saved)).toEqual(['first', 'one', 'second', 'two', 'third', 'two'])
    expect(agent.saved.map(({ parentId }) => parentId)).toEqual([
      ...Array(4).fill(undefined),
      agent.saved[1]?.id,
      undefined,
    ])
    expect(reloaded(agent)).toEqual(['first', 'one', 'third', 'two'])
  })

  it('can go back before its first message', async () => {
    const agent = await twoTurns()
    await agent.conversation.goTo([], { signal })
    expect(reloaded(agent)).toEqual([])
    await play(agent, { message: asking(3, 'anew') })
    expect(words(agent.requests.at(-1)?.messages ?? [])).toEqual(['anew'])
    expect(reloaded(agent)).toEqual(['anew', 'one'])
  })

  it('leaves a line in the audit log, with the summary and its author', async () => {
    const { audit, entries } = recordingAudit()
    const agent = await twoTurns({ audit })
    const [, one, ...left] = agent.engine.history
    await agent.conversation.goTo(agent.engine.history.slice(0, 2), { left, signal })
    const moved = { from: left.at(-1)?.id, to: one?.id }
    const told = { summary: expect.stringMatching(/as a summary\]\n\none$/), by: 'replay/script' }
    expect(entries.at(-1)).toEqual({
      decision: 'head_set',
      actor: 'user_local',
      audit: { ...moved, ...told },
    })
    const from = agent.engine.history.at(-1)?.id
    await agent.conversation.goTo([], { signal })
    expect(entries.at(-1)?.audit).toEqual({ from, to: beforeFirst })
  })

  it('carries over a summary of what is left, which no user wrote', async () => {
    const agent = await twoTurns()
    const [, , ...left] = agent.engine.history
    await agent.conversation.goTo(agent.engine.history.slice(0, 2), { left, signal })
    const [asked] = agent.requests.at(-1)?.messages ?? []
    expect(asked && spokenText(asked)).toContain('second')
    const summary = agent.engine.history[2]
    expect(summary && isLoopMessage(summary)).toBe(true)
    expect(summary?.parentId).toBe(agent.saved[1]?.id)
    expect(reloaded(agent).slice(0, 2)).toEqual(['first', 'one'])
    expect(reloaded(agent)[2]).toMatch(
      /^\[A branch of this conversation that the user left, as a summary\]\n\n/,
    )
    expect(agent.engine.usage).toMatchObject({ inputTokens: 30, outputTokens: 15 })
  })

  it('stays where it was if the summary fails or is stopped', async () => {
    const agent = await twoTurns()
    const before = [...agent.engine.history]
    const [, , ...left] = before
    const over = new AbortController()
    over.abort()
    const stopped = () => agent.conversation.goTo([], { left, signal: over.signal })
    expect(await thrown(stopped)).toMatchObject({ code: 'aborted' })
    expect(agent.engine.history).toEqual(before)
    const silent = openAgent({ rounds: [round()], messages: before })
    const failed = () => silent.conversation.goTo([], { left, signal })
    expect(await thrown(failed)).toMatchObject({ code: 'protocol' })
    expect(silent.engine.history).toEqual(before)
  })

  it('is refused while a turn runs', async () => {
    const agent = openAgent({ rounds: [round(says('one'))] })
    const refusals: unknown[] = []
    await play(agent, {
      see: async ({ type }) => {
        if (type !== 'round_start') return
        refusals.push(await thrown(() => agent.conversation.goTo([], { signal })))
      },
    })
    expect(refusals).toMatchObject([{ code: 'conflict' }])
    expect(words(agent.engine.history)).toEqual(['hello', 'one'])
  })

  it('forgets the question that was open on the branch that is left', async () => {
    const executor = scriptedTools({ ask: asks('Which way?'), look: gives('seen', { readOnly: true }) })
    const agent = openAgent({ rounds: [round(calls('a', 'ask'))], executor })
    const running = agent.engine.submit(asking(1, 'go'), { signal })
    for (let step = await running.next(); step.done !== true; step = await running.next())
      if (step.value.type === 'interaction_requested') break
    const pending = agent.states.at(-1)?.pending ?? []
    const later = openAgent({ messages: [...agent.saved], pending, executor })
    expect([pending.length, later.engine.canResume]).toEqual([1, true])
    await later.conversation.goTo([], { signal })
    expect([later.states.at(-1)?.pending, later.engine.canResume]).toEqual([[], false])
  })
})
