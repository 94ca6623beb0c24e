import { describe, expect, it } from 'vitest'
import { interruptedText as interrupted } from '../../../src/agent/turn/repair.ts'
import type { AgentEvent } from '../../../src/event.ts'
import { textContent } from '../../../src/message.ts'
import { validateHistory } from '../../../src/provider.ts'
import type { ToolExecutor } from '../../../src/tool.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import {
  type AgentUnderTest,
  brief,
  calls,
  failing,
  openAgent,
  play,
  resultsOf,
  round,
  says,
} from '../../support/conversations/agent.ts'
import { asks } from '../../support/conversations/questions.ts'
import { gives, scriptedTools, waits } from '../../support/conversations/scripted-tools.ts'
import { text, user } from '../../support/messages/messages.ts'
import { adapted } from '../../support/models/choices.ts'

const never = new Promise<void>(() => undefined)

/** Runs a turn and aborts it at this event. */
function abortAt(agent: AgentUnderTest, isIt: (event: AgentEvent, index: number) => boolean) {
  const abort = new AbortController()
  return play(agent, {
    signal: abort.signal,
    see: (event, index) => {
      if (isIt(event, index)) abort.abort()
    },
  })
}

/** Checks that the agent is idle, and that its session and history are equal and sound. */
function expectSound({ engine, saved }: AgentUnderTest): void {
  expect(engine.state).toBe('idle')
  expect(saved).toEqual(engine.history)
  validateHistory(saved)
}

describe('an abort', () => {
  it('before the first event keeps the user’s message', async () => {
    const agent = openAgent({ rounds: [round(says('Never heard.'))] })
    const { events, turn } = await play(agent, { signal: AbortSignal.abort() })
    expect(turn).toMatchObject({ stopReason: 'aborted', error: { code: 'aborted' } })
    expect(agent.saved).toEqual([user(text('hello'))])
    expect(events.map(brief)).toEqual([
      'turn_start',
      'state thinking',
      'round_start 1',
      'state toolcall',
      'state reflecting',
      'round_end aborted',
      'state idle',
      'turn_end aborted',
    ])
    expectSound(agent)
  })

  it('in the middle of a text keeps its beginning', async () => {
    const agent = openAgent({ rounds: [round(says('one two three')), round(says('Next.'))] })
    const { events, turn } = await abortAt(agent, (event) => brief(event) === 'text_delta two')
    expect(turn).toMatchObject({ stopReason: 'aborted', error: { code: 'aborted' } })
    expect(agent.saved.map((message) => [message.type, textContent(message)])).toEqual([
      ['user', 'hello'],
      ['assistant', 'one two'],
    ])
    expect(agent.saved[1]).toMatchObject({ stopReason: 'aborted' })
    expect(events.map(brief).slice(-6)).toEqual([
      'message assistant',
      'state toolcall',
      'state reflecting',
      'round_end aborted',
      'state idle',
      'turn_end aborted',
    ])
    expectSound(agent)
  })

  it('ends the wait for a silent server', async () => {
    const provider = adapted(async function* () {
      yield { type: 'text_delta', id: 'b', delta: 'Hm' }
      await never
      return { stopReason: 'end_turn' }
    })
    const agent = openAgent({ provider })
    const abort = new AbortController()
    const { turn } = await play(agent, {
      signal: abort.signal,
      see: (event) => {
        if (event.type === 'text_delta') queueMicrotask(() => abort.abort())
      },
    })
    expect(turn).toMatchObject({ stopReason: 'aborted' })
    expect(agent.saved.map(textContent)).toEqual(['hello', 'Hm'])
    expectSound(agent)
  })

  it('ends the wait before a retry and drops the discarded text', async () => {
    const clock = createHandClock()
    const busy = { code: 'overloaded', message: 'too much to do', after: 1 } as const
    const agent = openAgent({ rounds: [failing(round(says('one two')), busy)], clock })
    const abort = new AbortController()
    const { events, turn } = await play(agent, {
      signal: abort.signal,
      see: (event) => {
        if (event.type === 'retry') queueMicrotask(() => abort.abort())
      },
    })
    expect(clock.slept).toEqual([500])
    expect(turn).toMatchObject({ stopReason: 'aborted', error: { code: 'aborted' } })
    expect(agent.saved).toEqual([user(text('hello'))])
    expect(events.map(brief)).toContain('retry')
    expectSound(agent)
  })

  it('during a tool ends it and answers all calls', async () => {
    const journal: string[] = []
    const executor = scriptedTools(
      {
        read: gives('text', { readOnly: true }),
        wait: waits(never, { before: 'waiting', text: 'never' }),
        write: gives('written'),
      },
      journal,
    )
    const made = [calls('tc_1', 'read'), calls('tc_2', 'wait'), calls('tc_3', 'write')]
    const agent = openAgent({ rounds: [round(...made), round(says('Next.'))], executor, journal })
    const { events, turn } = await abortAt(agent, (event) => event.type === 'tool_output')
    expect(turn).toMatchObject({ stopReason: 'aborted', rounds: 1 })
    expect(resultsOf(turn.messages)).toEqual([
      'tc_1: text',
      `tc_2 failed: ${interrupted}`,
      `tc_3 failed: ${interrupted}`,
    ])
    expect(journal.filter((line) => /^(run|end) /.test(line))).toEqual([
      'run read',
      'end read',
      'run wait',
      'end wait',
    ])
    expect(events.map(brief)).toContain('tool_end tc_2 failed')
    expect(events.map(brief)).not.toContain('tool_start tc_3')
    expectSound(agent)
  })

  it('during an open question cancels it and answers its call as interrupted', async () => {
    const executor = scriptedTools({ ask: asks('Which way?') })
    const agent = openAgent({ rounds: [round(calls('tc_1', 'ask'))], executor })
    const abort = new AbortController()
    const { events, turn } = await play(agent, {
      signal: abort.signal,
      see: (event) => {
        if (event.type === 'interaction_requested') queueMicrotask(() => abort.abort())
      },
    })
    expect(events.find(({ type }) => type === 'interaction_responded')).toMatchObject({
      response: { answeredBy: 'agent_pipe', cancelled: true },
    })
    expect(turn).toMatchObject({ stopReason: 'aborted' })
    expect(resultsOf(turn.messages)).toEqual([`tc_1 failed: ${interrupted}`])
    expectSound(agent)
  })

  it('between two rounds keeps the first', async () => {
    const executor = scriptedTools({ read: gives('text') })
    const agent = openAgent({ rounds: [round(calls('tc_1', 'read')), round(says('Never.'))], executor })
    const { turn } = await abortAt(agent, (event) => brief(event) === 'round_end tool_use')
    expect(turn).toMatchObject({ stopReason: 'aborted', rounds: 1 })
    expect(resultsOf(turn.messages)).toEqual(['tc_1: text'])
    expect(agent.requests).toHaveLength(1)
    expectSound(agent)
  })

  it('by a command works like the signal', async () => {
    const agent = openAgent({ rounds: [round(says('one two three'))] })
    agent.engine.send({ type: 'interrupt' })
    const { turn } = await play(agent, {
      see: (event) => {
        if (event.type === 'text_delta') agent.engine.send({ type: 'interrupt' })
      },
    })
    expect(turn).toMatchObject({ stopReason: 'aborted', error: { code: 'aborted' } })
    expect(agent.saved.map(textContent)).toEqual(['hello', 'one'])
    expectSound(agent)
  })
})

/** A turn with text, a retry, parallel reads, a question, a write and an answer. */
function eventful(): AgentUnderTest {
  const busy = { code: 'overloaded', message: 'too much to do', after: 1 } as const
  const executor: ToolExecutor = scriptedTools({
    read: waits(Promise.resolve(), { readOnly: true, before: 'reading', text: 'text' }),
    ask: asks('Which way?'),
    write: gives('written'),
  })
  const made = [
    calls('tc_1', 'read'),
    calls('tc_2', 'read'),
    calls('tc_3', 'ask'),
    calls('tc_4', 'write'),
    calls('tc_5', 'nope'),
  ]
  const rounds = [failing(round(says('I look.'), ...made), busy), round(says('Done.')), round(says('Next.'))]
  return openAgent({ rounds, executor })
}

function answer(agent: AgentUnderTest, event: AgentEvent): void {
  if (event.type !== 'interaction_requested') return
  const response = { interactionId: event.interaction.id, answeredBy: 'user_test', inputValue: 'left' }
  agent.engine.send({ type: 'respond', response })
}

describe('a turn cut at any point', () => {
  const whole = async () => {
    const agent = eventful()
    const { events } = await play(agent, { see: (event) => answer(agent, event) })
    return events
  }

  it('by the signal ends as aborted with a sound history, and the next turn runs', async () => {
    const { length } = await whole()
    expect(length).toBeGreaterThan(40)
    for (let k = 0; k < length; k++) {
      const agent = eventful()
      const abort = new AbortController()
      const { events, turn } = await play(agent, {
        signal: abort.signal,
        see: (event, index) => {
          if (index === k) abort.abort()
          else answer(agent, event)
        },
      })
      const last = k >= length - 1
      expect([k, turn.stopReason]).toEqual([k, last ? 'end_turn' : 'aborted'])
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
      expectSound(agent)
      const next = await play(agent, { message: user(text('go on')), see: (event) => answer(agent, event) })
      expect([k, next.turn.stopReason]).toEqual([k, 'end_turn'])
      expectSound(agent)
    }
  })

  it('between two events does the same', async () => {
    for (let ticks = 0; ticks < 150; ticks += 3) {
      const agent = eventful()
      const abort = new AbortController()
      const cut = async () => {
        for (let tick = 0; tick < ticks; tick++) await undefined
        abort.abort()
      }
      const [{ turn }] = await Promise.all([
        play(agent, { signal: abort.signal, see: (event) => answer(agent, event) }),
        cut(),
      ])
      expect([ticks, turn.stopReason]).toEqual([ticks, 'aborted'])
      expectSound(agent)
    }
  })

  it('by a return in the middle of a text closes the connection', async () => {
    let closed = false
    const provider = adapted(async function* () {
      try {
        for (;;) yield { type: 'text_delta', id: 'b', delta: 'and on ' }
      } finally {
        closed = true
      }
    })
    const agent = openAgent({ provider })
    for await (const event of agent.engine.submit(user(text('hello')), new AbortController())) {
      if (event.type === 'text_delta') break
    }
    expect(closed).toBe(true)
    expectSound(agent)
  })

  it('by a return has a sound history on disk, and the next turn runs', async () => {
    const { length } = await whole()
    for (let k = 0; k < length; k++) {
      const agent = eventful()
      let seen = 0
      for await (const event of agent.engine.submit(user(text('hello')), new AbortController())) {
        if (seen++ === k) break
        answer(agent, event)
      }
      expectSound(agent)
      expect([k, agent.journal.at(-1)]).toEqual([k, 'sync'])
      const next = await play(agent, { message: user(text('go on')), see: (event) => answer(agent, event) })
      expect([k, next.turn.stopReason]).toEqual([k, 'end_turn'])
      expectSound(agent)
    }
  })
})
