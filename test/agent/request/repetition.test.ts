import { describe, expect, it } from 'vitest'
import {
  comparedRounds,
  maxLooks,
  maxRepeats,
  minPollMs,
  minWaitMs,
  warnEvery,
} from '../../../src/agent/request/repetition.ts'
import type { Turn } from '../../../src/engine.ts'
import type { Interaction, InteractionResponse } from '../../../src/interaction.ts'
import { isJsonObject, type JsonValue } from '../../../src/json-value.ts'
import { textContent } from '../../../src/message.ts'
import type { ScriptBlock, ScriptRound } from '../../../src/replay/script.ts'
import type { Adapter } from '../../../src/stream.ts'
import { errorResult, type ToolExecutor, textResult } from '../../../src/tool.ts'
import { createHandClock, type HandClock } from '../../support/clocks/hand-clock.ts'
import { calls, openAgent, play, round, says } from '../../support/conversations/agent.ts'
import { gives, type ScriptedTool, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { sent } from '../../support/messages/histories.ts'
import { adapted, answers } from '../../support/models/choices.ts'
import { recordingAudit } from '../../support/sessions/recording-audit.ts'

const same = scriptedTools({ bash: gives('same') })

/** A tool that returns a different text each time. */
function counts(): ScriptedTool {
  let count = 0
  return {
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* () {
      return textResult(String(++count))
    },
  }
}

/** A tool whose long output spills to a new file each time. */
function spills(): ScriptedTool {
  let count = 0
  return {
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* () {
      const spill = `/tmp/bash-${++count}.txt`
      return textResult(`1\n2\n[… all of it is in ${spill}]`, { spill })
    },
  }
}

/** The same tools, whose calls all watch something. */
function watching(executor: ToolExecutor): ToolExecutor {
  const tools = executor.tools().map((tool) => ({ ...tool, looksOn: () => true }))
  return { ...executor, tools: () => tools }
}

/** A tool that returns the same text after this many milliseconds. */
function passes(clock: HandClock, ms: number): ToolExecutor {
  return scriptedTools({
    bash: {
      // biome-ignore lint/correctness/useYield: a tool without output
      run: async function* () {
        clock.advance(ms)
        return textResult('same')
      },
    },
  })
}

const fails: ScriptedTool = {
  // biome-ignore lint/correctness/useYield: a tool without output
  run: async function* () {
    return errorResult('there is no such text')
  },
}

/** This many rounds with calls, then one without. */
function rounds(count: number, blocksOf: (index: number) => readonly ScriptBlock[]): readonly ScriptRound[] {
  return [...Array.from({ length: count }, (_, i) => round(...blocksOf(i))), round(says('Done.'))]
}

const echo = (index: number) => [calls(`tc_${index}`, 'bash', { command: 'echo same' })]

/** The numbers of the calls, from 1, whose results hold the warning. */
function warned({ messages }: Turn): readonly number[] {
  const results = messages.filter(({ type }) => type === 'tool_result')
  return results.flatMap((result, i) => (textContent(result).includes('Do not repeat them') ? [i + 1] : []))
}

async function run(executor: ToolExecutor, script: readonly ScriptRound[]) {
  const { audit, entries } = recordingAudit()
  const agent = openAgent({ executor, rounds: script, audit })
  return { agent, entries, ...(await play(agent)) }
}

describe('a model that repeats the same call', () => {
  it('is warned in the result of the fifth', async () => {
    const { turn } = await run(same, rounds(9, echo))
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 10 })
    expect(warned(turn)).toEqual([5])
    const fifth = turn.messages.filter(({ type }) => type === 'tool_result')[4]
    expect(fifth && textContent(fifth)).toMatch(
      /^same\n\n\[5 rounds in a row have made the same calls with the same results\. Do not repeat them: /,
    )
  })

  it.each([
    ['and gets the same text', same],
    ['and gets the same error', scriptedTools({ bash: fails })],
    ['and gets the same text in a new file each time', scriptedTools({ bash: spills() })],
    ['of an unknown tool', scriptedTools({})],
  ])('%s is stopped after 10 rounds if there is no user to ask', async (_, executor) => {
    const { agent, entries, turn } = await run(executor, rounds(maxRepeats + 10, echo))
    const error = {
      code: 'turn_limit',
      message: `stopped: ${maxRepeats} rounds in a row made the same calls with the same results, the last one bash {"command":"echo same"}; say what to do differently`,
      details: { limit: 'repetition', rounds: '10', tool: 'bash' },
    }
    expect(turn).toMatchObject({ stopReason: 'error', rounds: maxRepeats, error })
    expect(agent.requests).toHaveLength(maxRepeats)
    expect(agent.saved).toEqual(turn.messages)
    expect(entries.at(-1)).toMatchObject({
      decision: 'turn_ended',
      audit: { stop_reason: 'error', error: { ...error.details, code: error.code, message: error.message } },
    })
  })

  it('with slow calls is warned but not stopped, as it may be waiting', async () => {
    const clock = createHandClock()
    const script = rounds(maxRepeats + 10, echo)
    const agent = openAgent({ executor: passes(clock, minWaitMs), rounds: script, clock })
    const { turn } = await play(agent)
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: maxRepeats + 11 })
    expect(warned(turn)).toEqual([5, 10, 15, 20])
  })

  it('may poll: a call that sleeps for a second and looks is not a loop', async () => {
    const poll = (index: number) => [calls(`tc_${index}`, 'bash', { command: 'sleep 1; cat state' })]
    for (const [ms, expected] of [
      [1_000, { stopReason: 'end_turn', rounds: maxLooks + 11 }],
      [minPollMs - 1, { error: { code: 'turn_limit' }, rounds: maxLooks }],
    ] as const) {
      const clock = createHandClock()
      const script = rounds(maxLooks + 10, poll)
      const executor = passes(clock, ms)
      const agent = openAgent({ executor: watching(executor), rounds: script, clock })
      expect((await play(agent)).turn).toMatchObject(expected)
    }
  })

  it.each([2, 5, comparedRounds])('in a cycle of %d calls is stopped', async (length) => {
    const cycle = (index: number) => [calls(`tc_${index}`, 'bash', { command: `echo ${index % length}` })]
    const { turn } = await run(same, rounds(4 * maxRepeats, cycle))
    expect(turn).toMatchObject({ error: { code: 'turn_limit' }, rounds: length + maxRepeats - 1 })
  })

  it('with slightly faster calls is stopped', async () => {
    const clock = createHandClock()
    const script = rounds(maxRepeats + 10, echo)
    const agent = openAgent({ executor: passes(clock, minWaitMs - 1), rounds: script, clock })
    expect((await play(agent)).turn).toMatchObject({ stopReason: 'error', rounds: maxRepeats })
  })

  it('that watches the background may repeat more often, up to a limit', async () => {
    const looks = (args: JsonValue) => isJsonObject(args) && args['action'] === 'read'
    const executor = scriptedTools({ process: { ...gives('running'), looksOn: looks } })
    const look = (action: string) => (index: number) => [calls(`tc_${index}`, 'process', { action })]
    const watching = await run(executor, rounds(maxLooks - 1, look('read')))
    expect(watching.turn).toMatchObject({ stopReason: 'end_turn', rounds: maxLooks })
    const endless = await run(executor, rounds(maxLooks + 10, look('read')))
    expect(endless.turn).toMatchObject({ error: { code: 'turn_limit' }, rounds: maxLooks })
    const other = await run(executor, rounds(maxLooks, look('kill')))
    expect(other.turn).toMatchObject({ error: { code: 'turn_limit' }, rounds: maxRepeats })
  })

  it('may continue after a user message', async () => {
    const agent = openAgent({ executor: same, rounds: rounds(maxRepeats + 2, echo) })
    await play(agent)
    const { turn } = await play(agent)
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 3 })
  })

  it.each([
    ['the same', () => '{"com', [5]],
    ['others', (index: number) => `{"${index}`, []],
  ])('with arguments that are not JSON is warned if they are %s', async (_, textOf, expected) => {
    const broken = Array.from(
      { length: warnEvery },
      (_, i): Adapter =>
        async function* () {
          yield { type: 'tool_call_begin', id: `tc_${i}`, name: 'bash' }
          yield { type: 'tool_call_delta', id: `tc_${i}`, delta: textOf(i) }
          return { stopReason: 'tool_use' }
        },
    )
    const agent = openAgent({ executor: same, provider: adapted(...broken, answers('Done.')) })
    expect(warned((await play(agent)).turn)).toEqual(expected)
  })
})

/** A user who answers the loop's questions with these, in order. */
async function asked(count: number, ...answers: readonly Partial<InteractionResponse>[]) {
  const { audit, entries } = recordingAudit()
  const agent = openAgent({ executor: same, rounds: rounds(count, echo), audit, attended: true })
  const questions: Interaction[] = []
  const { turn } = await play(agent, {
    see: (event) => {
      if (event.type !== 'interaction_requested') return
      const { id: interactionId } = event.interaction
      const answer = answers[questions.length] ?? { cancelled: true }
      questions.push(event.interaction)
      agent.engine.send({ type: 'respond', response: { interactionId, answeredBy: 'user_local', ...answer } })
    },
  })
  return { turn, questions, entries, agent }
}

describe('the user of a model that repeats the same call', () => {
  it('is asked after ten rounds, and again after ten more', async () => {
    const { turn, questions, entries } = await asked(
      21,
      { selectedOptionId: 'go_on' },
      { selectedOptionId: 'go_on' },
    )
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 22 })
    expect(questions.map(({ id: _, ...question }) => question)).toEqual(
      Array.from({ length: 2 }, () => ({
        kind: 'select',
        purpose: 'choose_strategy',
        display: {
          title: 'The model has made the same call in 10 rounds, with the same result. What should it do?',
          description: 'bash {"command":"echo same"}',
        },
        options: [
          { id: 'go_on', label: 'Continue' },
          { id: 'stop', label: 'Stop', isDefault: true },
        ],
      })),
    )
    const about = entries.filter(({ decision }) => decision.startsWith('question_'))
    expect(about.map(({ decision, actor }) => `${decision} ${actor}`)).toEqual([
      'question_asked agent_pipe',
      'question_answered user_local',
      'question_asked agent_pipe',
      'question_answered user_local',
    ])
  })

  it.each([
    ['choose so', { selectedOptionId: 'stop' }],
    ['do not answer', { cancelled: true }],
  ])('stops it if they %s', async (_, answer) => {
    const { turn } = await asked(20, answer)
    expect(turn).toMatchObject({ rounds: maxRepeats, error: { code: 'turn_limit' } })
  })

  it('can answer with a message to the model', async () => {
    const { turn, agent } = await asked(12, { inputValue: 'Try another file.' })
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 13 })
    expect(agent.requests.map(sent)[maxRepeats]?.at(-1)).toBe('Try another file.')
    expect(agent.saved.filter(({ type }) => type === 'user').map(textContent)).toEqual([
      'hello',
      'Try another file.',
    ])
  })

  it('may interrupt the turn instead', async () => {
    const stop = new AbortController()
    const agent = openAgent({ executor: same, rounds: rounds(20, echo), attended: true })
    const { turn } = await play(agent, {
      signal: stop.signal,
      see: ({ type }) => {
        if (type === 'interaction_requested') stop.abort()
      },
    })
    expect(turn).toMatchObject({ stopReason: 'aborted', rounds: maxRepeats })
  })
})

describe('rounds that repeat in a short cycle', () => {
  it.each([2, 3, 4])('of %i are detected', async (size) => {
    const circle = (index: number) => [calls(`tc_${index}`, 'bash', { command: `echo ${index % size}` })]
    const { turn } = await run(same, rounds(maxRepeats + 10, circle))
    // In the first cycle, all rounds but the last are news.
    expect(turn).toMatchObject({ error: { code: 'turn_limit' }, rounds: maxRepeats + size - 1 })
    expect(warned(turn)[0]).toBe(warnEvery + size - 1)
  })

  it('of several calls are warned once a round, at its end', async () => {
    const both = (index: number) => [calls(`a_${index}`, 'bash'), calls(`b_${index}`, 'read')]
    const tools = scriptedTools({ bash: gives('same'), read: gives('text', { readOnly: true }) })
    const { turn } = await run(tools, rounds(warnEvery, both))
    expect(warned(turn)).toEqual([10])
  })
})

describe('rounds with news', () => {
  const many = maxRepeats + 10

  it.each<[string, ToolExecutor, (index: number) => readonly ScriptBlock[]]>([
    ['the same call with another result each time', scriptedTools({ bash: counts() }), echo],
    [
      'other calls with the same result',
      same,
      (index) => [calls(`tc_${index}`, 'bash', { command: `echo ${index}` })],
    ],
    [
      'the same call beside one that differs',
      scriptedTools({ bash: gives('same'), next: counts() }),
      (index) => [...echo(index), calls(`next_${index}`, 'next')],
    ],
  ])('may continue: %s', async (_, executor, blocksOf) => {
    const { turn } = await run(executor, rounds(many, blocksOf))
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: many + 1 })
    expect(warned(turn)).toEqual([])
  })

  it('restart the count', async () => {
    const now = (index: number) =>
      index % maxRepeats === maxRepeats - 1 ? [calls(`x_${index}`, 'bash', { index })] : echo(index)
    const { turn } = await run(same, rounds(2 * maxRepeats - 2, now))
    expect(turn.stopReason).toBe('end_turn')
  })
})
