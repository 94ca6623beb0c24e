import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { AgentEvent } from '../../../src/event.ts'
import { ShutdownReason } from '../../../src/machine/shutdown-reason.ts'
import type { Message } from '../../../src/message.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import type { PendingQuestion, SessionLog } from '../../../src/session.ts'
import { textResult } from '../../../src/tool.ts'
import {
  type AgentSetup,
  type AgentUnderTest,
  calls,
  openAgent,
  play,
  resultsOf,
  round,
  says,
} from '../../support/conversations/agent.ts'
import { asks } from '../../support/conversations/questions.ts'
import { gives, type ScriptedTool, scriptedTools, waits } from '../../support/conversations/scripted-tools.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'

/** The session state that a run leaves on disk. */
interface Left {
  readonly messages: readonly Message[]
  readonly pending: readonly PendingQuestion[]
}

const tools = (asking = asks('Which way?')) =>
  scriptedTools({ look: gives('seen', { readOnly: true }), ask: asking, write: gives('written') })

/** Copies what is on disk now, before the run that was left can change it. */
function left({ saved, states }: AgentUnderTest): Left {
  return { messages: [...saved], pending: [...(states.at(-1)?.pending ?? [])] }
}

/** Runs up to the first question, and leaves the run there, as a process that is killed. */
async function killed(blocks: readonly ScriptBlock[], executor = tools()) {
  const agent = openAgent({ rounds: [round(...blocks)], executor })
  const running = agent.engine.submit(user(text('hello')), new AbortController())
  for (;;) {
    const step = await running.next()
    if (step.done === true) throw new Error('nothing was asked')
    if (step.value.type === 'interaction_requested')
      return { ...left(agent), interaction: step.value.interaction }
  }
}

/** Continues in a new process. */
function resumed({ messages, pending }: Left, more: AgentSetup = {}): AgentUnderTest {
  return openAgent({ rounds: [round(), round(says('Done.'))], executor: tools(), messages, pending, ...more })
}

async function answer(agent: AgentUnderTest, message?: ReturnType<typeof user>) {
  const events: AgentEvent[] = []
  const running = agent.engine.submit(message, new AbortController())
  for (;;) {
    const step = await running.next()
    if (step.done === true) return { events, turn: step.value }
    events.push(step.value)
    if (step.value.type !== 'interaction_requested') continue
    const { id } = step.value.interaction
    agent.engine.send({
      type: 'respond',
      response: { interactionId: id, answeredBy: 'user_ann', inputValue: 'left' },
    })
  }
}

/** A tool that asks several questions, and returns the answers. */
function asksAll(titles: readonly string[]): ScriptedTool {
  const newId = countingIds()
  return {
    run: async function* () {
      const said: string[] = []
      for (const title of titles) {
        const response = yield {
          type: 'interaction',
          interaction: { id: newId.interaction(), kind: 'input', purpose: 'generic', display: { title } },
        }
        said.push(response?.inputValue ?? '')
      }
      return textResult(said.join(', '))
    },
  }
}

/** Answers the first question that is asked with its title, and leaves the run at the next one, as a process that is killed. */
async function answerOne(agent: AgentUnderTest) {
  const titles: string[] = []
  const running = agent.engine.submit(undefined, new AbortController())
  for (;;) {
    const step = await running.next()
    if (step.done === true) return { titles, ...left(agent) }
    if (step.value.type !== 'interaction_requested') continue
    if (titles.length === 1) return { titles, ...left(agent) }
    const { id, display } = step.value.interaction
    titles.push(display.title)
    const response = { interactionId: id, answeredBy: 'user_ann', inputValue: display.title }
    agent.engine.send({ type: 'respond', response })
  }
}

const asked = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'interaction_requested' ? [event.interaction] : []))

describe('a run that ended at a question', () => {
  it('asks the same question again and carries out the same call, without the model', async () => {
    const found = await killed([says('I ask.'), calls('tc_1', 'ask')])
    const agent = resumed(found)
    expect(agent.engine.canResume).toBe(true)
    const { events, turn } = await answer(agent)
    expect(asked(events)).toEqual([found.interaction])
    expect(resultsOf(agent.engine.history)).toEqual(['tc_1: left'])
    expect(agent.requests).toHaveLength(1)
    expect(turn.error).toBeUndefined()
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    expect(agent.engine.canResume).toBe(false)
    expect(agent.states.at(-1)?.pending).toEqual([])
  })

  it('keeps the results of calls that had ended, and runs those after the question only now', async () => {
    const found = await killed([calls('tc_1', 'look'), calls('tc_2', 'ask'), calls('tc_3', 'write')])
    expect(resultsOf(found.messages)).toEqual(['tc_1: seen'])
    const agent = resumed(found)
    await answer(agent)
    expect(resultsOf(agent.engine.history)).toEqual(['tc_1: seen', 'tc_2: left', 'tc_3: written'])
    expect(agent.journal.filter((line) => line.startsWith('append'))).toHaveLength(3)
  })

  it('does not run a call again that may have run beside it', async () => {
    const never = new Promise<void>(() => undefined)
    const look = waits(never, { readOnly: true, before: 'looking', text: 'seen' })
    const executor = scriptedTools({ look, ask: { ...asks('Which way?'), readOnly: true } })
    const found = await killed([calls('tc_0', 'look'), calls('tc_1', 'ask')], executor)
    const agent = resumed(found, { executor })
    await answer(agent)
    expect(resultsOf(agent.engine.history)).toEqual([
      'tc_1: left',
      expect.stringMatching(/^tc_0 failed: \[interrupted/),
    ])
  })

  it('asks anew if the question would be another one', async () => {
    const found = await killed([calls('tc_1', 'ask')])
    const agent = resumed(found, { executor: tools(asks('Really?')) })
    const { events } = await answer(agent)
    const [question] = asked(events)
    expect(question?.display.title).toBe('Really?')
  })

  it('takes an answer that was stored meanwhile, once, and for the same question only', async () => {
    const found = await killed([calls('tc_1', 'ask')])
    const response = { interactionId: found.interaction.id, answeredBy: 'user_bob', inputValue: 'right' }
    const pending = found.pending.map((question) => ({ ...question, response }))
    const agent = resumed({ ...found, pending })
    const { events } = await play(agent, { message: user(text('and then?')) })
    expect(resultsOf(agent.engine.history)).toEqual(['tc_1: right'])
    expect(asked(events)).toEqual([])
    const other = resumed({ ...found, pending }, { executor: tools(asks('Really?')) })
    await answer(other)
    expect(resultsOf(other.engine.history)).toEqual(['tc_1: left'])
  })

  it('asks each question of a call once, whenever its process is killed', async () => {
    const questions = ['Which way?', 'How far?', 'How fast?']
    let found: Left = await killed([calls('tc_1', 'ask')], tools(asksAll(questions)))
    for (const [i, title] of questions.entries()) {
      const agent = resumed(found, { executor: tools(asksAll(questions)) })
      const { titles, pending } = await answerOne(agent)
      expect(titles).toEqual([title])
      expect(pending.map(({ response }) => response?.inputValue)).toEqual(
        i === 2 ? [] : [...questions.slice(0, i + 1), undefined],
      )
      found = { ...found, pending }
      if (i === 2) expect(resultsOf(agent.engine.history)).toEqual([`tc_1: ${questions.join(', ')}`])
    }
  })

  it('asks each question of a call anew once one of them has changed', async () => {
    const first = await killed([calls('tc_1', 'ask')], tools(asksAll(['May I?', 'Where?'])))
    const { pending } = await answerOne(resumed(first, { executor: tools(asksAll(['May I?', 'Where?'])) }))
    const changed = resumed({ ...first, pending }, { executor: tools(asksAll(['May I now?', 'May I?'])) })
    expect(asked((await answer(changed)).events).map(({ display }) => display.title)).toEqual([
      'May I now?',
      'May I?',
    ])
  })

  it('counts an answer for no later call, even of the same id', async () => {
    const twice = asksAll(['May I?', 'Where?'])
    const first = await killed([calls('tc_1', 'ask')], tools(twice))
    const rounds = [round(), round(calls('tc_1', 'ask')), round(says('Done.'))]
    const agent = resumed(first, { executor: tools(twice), rounds })
    const titles = asked((await answer(agent)).events).map(({ display }) => display.title)
    expect(titles).toEqual(['May I?', 'Where?', 'May I?', 'Where?'])
  })

  it('delivers a message after the answer', async () => {
    const found = await killed([calls('tc_1', 'ask')])
    const agent = resumed(found)
    await answer(agent, user(text('and then?')))
    expect(agent.requests[0]?.messages.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'user',
    ])
  })

  it('forgets questions that no open call asks', async () => {
    const found = await killed([calls('tc_1', 'ask')])
    const agent = resumed({ ...found, messages: found.messages.slice(0, 1) })
    expect(agent.engine.canResume).toBe(false)
    expect(await thrown(() => answer(agent))).toMatchObject({ code: 'input' })
    await play(agent, { message: user(text('again')) })
    expect(agent.states.at(-1)?.pending).toEqual([])
  })
})

describe('a question', () => {
  const leaving = async (reason?: Error) => {
    const agent = openAgent({
      rounds: [round(calls('tc_1', 'ask'), calls('tc_2', 'write')), round(says('Done.'))],
      executor: tools(),
    })
    const abort = new AbortController()
    const see = ({ type }: AgentEvent) => {
      if (type === 'interaction_requested') abort.abort(reason)
    }
    const { turn } = await play(agent, { signal: abort.signal, see })
    return { agent, turn }
  }

  it('waits for the next run if the process ends', async () => {
    const { agent, turn } = await leaving(new ShutdownReason('SIGTERM'))
    expect(turn.stopReason).toBe('aborted')
    expect(resultsOf(agent.saved)).toEqual([])
    const next = resumed(left(agent))
    await answer(next)
    expect(resultsOf(next.engine.history)).toEqual(['tc_1: left', 'tc_2: written'])
  })

  it('is asked and answered on a full disk, although it cannot outlive the process there', async () => {
    const full = new PipeError('internal', 'no space left', { details: { reason: 'ENOSPC' } })
    const log: SessionLog = {
      id: countingIds().session(),
      unsaved: undefined,
      append: async () => undefined,
      update: async ({ pending = [] }) => {
        if (pending.length > 0) throw full
      },
      sync: async () => undefined,
      close: async () => undefined,
    }
    const agent = openAgent({
      rounds: [round(calls('tc_1', 'ask')), round(says('Done.'))],
      executor: tools(),
      log,
    })
    const { turn } = await answer(agent, user(text('hello')))
    expect(turn.error).toBeUndefined()
    expect(resultsOf(agent.engine.history)).toEqual(['tc_1: left'])
  })

  it('is over if the user stops the turn', async () => {
    const { agent } = await leaving()
    expect(resultsOf(agent.saved)).toEqual([
      expect.stringMatching(/^tc_1 failed: \[interrupted/),
      expect.stringMatching(/^tc_2 failed: \[interrupted/),
    ])
    expect(resumed(left(agent)).engine.canResume).toBe(false)
  })
})
