import { describe, expect, it } from 'vitest'
import { batches } from '../../../src/agent/calls/call-batches.ts'
import { executorConformance } from '../../../src/conformance/suites.ts'
import { PipeError } from '../../../src/error.ts'
import { validateHistory } from '../../../src/provider.ts'
import { errorResult } from '../../../src/tool.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { conforms } from '../../support/conforms.ts'
import {
  type AgentUnderTest,
  brief,
  calls,
  openAgent,
  play,
  resultsOf,
  round,
  says,
} from '../../support/conversations/agent.ts'
import {
  breaks,
  gives,
  type ScriptedTool,
  scriptedTools,
  waits,
} from '../../support/conversations/scripted-tools.ts'
import { call } from '../../support/messages/messages.ts'
import { adapted } from '../../support/models/choices.ts'

conforms(
  'an executor of scripted tools',
  executorConformance(async () => ({
    executor: scriptedTools({
      read: gives('text'),
      wait: waits(new Promise(() => undefined), { before: 'waiting', text: 'never' }),
    }),
    good: { name: 'read', arguments: {} },
    bad: { name: 'read', arguments: [] },
    endless: { name: 'wait', arguments: {} },
  })),
)

const interrupted = '[interrupted: this call was not carried out to its end]'

/** An agent whose model makes these calls and then ends. */
function agentThatCalls(tools: Record<string, ScriptedTool>, ...made: readonly ReturnType<typeof calls>[]) {
  const journal: string[] = []
  const executor = scriptedTools(tools, journal)
  return openAgent({ rounds: [round(...made), round(says('Done.'))], executor, journal })
}

function runs({ journal }: AgentUnderTest): readonly string[] {
  return journal.filter((line) => /^(run|end) /.test(line))
}

describe('calls that only read', () => {
  it('run concurrently, each saved when it ends, and sent in the order of the calls', async () => {
    const [first, second] = [deferred(), deferred()]
    const agent = agentThatCalls(
      {
        slow: waits(first.promise, { readOnly: true, before: 'slow', text: 'one' }),
        fast: waits(second.promise, { readOnly: true, before: 'fast', text: 'two' }),
      },
      calls('tc_1', 'slow'),
      calls('tc_2', 'fast'),
    )
    const { events, turn } = await play(agent, {
      see: (event) => {
        if (event.type === 'tool_output' && event.chunk === 'fast') second.resolve()
        if (event.type === 'tool_end' && event.callId === 'tc_2') first.resolve()
      },
    })
    expect(events.map(brief).filter((line) => line.startsWith('tool_') && !line.includes('_call_'))).toEqual([
      'tool_start tc_1',
      'tool_start tc_2',
      'tool_output tc_1 slow',
      'tool_output tc_2 fast',
      'tool_end tc_2',
      'tool_end tc_1',
    ])
    expect(runs(agent)).toEqual(['run slow', 'run fast', 'end fast', 'end slow'])
    expect(resultsOf(turn.messages)).toEqual(['tc_2: two', 'tc_1: one'])
    expect(resultsOf(agent.requests.at(-1)?.messages ?? [])).toEqual(['tc_1: one', 'tc_2: two'])
  })

  it('pass on their outputs as they arrive', async () => {
    const steps = [deferred(), deferred(), deferred()]
    const talks = (...waitsFor: readonly number[]): ScriptedTool => ({
      readOnly: true,
      run: async function* (_, { callId }) {
        for (const step of waitsFor) {
          await steps[step]?.promise
          yield { type: 'output', stream: 'stderr', chunk: `after ${step}` }
        }
        return { content: [{ type: 'text', text: callId }], isError: false }
      },
    })
    const agent = agentThatCalls({ a: talks(0, 2), b: talks(1) }, calls('tc_a', 'a'), calls('tc_b', 'b'))
    let next = 0
    const { events } = await play(agent, {
      see: (event) => {
        if (event.type === 'tool_output' || brief(event) === 'tool_start tc_b') steps[next++]?.resolve()
      },
    })
    expect(events.map(brief).filter((line) => line.startsWith('tool_output'))).toEqual([
      'tool_output tc_a after 0',
      'tool_output tc_b after 1',
      'tool_output tc_a after 2',
    ])
  })

  it('form batches with adjacent ones; any other call runs alone', () => {
    const executor = scriptedTools({ read: gives('', { readOnly: true }), write: gives('') })
    const made = ['read', 'read', 'write', 'read', 'write', 'write', 'unknown', 'read', 'read']
    const batched = batches(
      made.map((name, i) => call(String(i), name)),
      executor,
    )
    expect(batched.map((batch) => batch.map(({ id }) => id).join(' '))).toEqual([
      '0 1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7 8',
    ])
  })
})

describe('a call that changes something', () => {
  it('runs alone, in its place', async () => {
    const read = gives('text', { readOnly: true })
    const agent = agentThatCalls(
      { read, write: gives('written') },
      calls('tc_1', 'read'),
      calls('tc_2', 'write'),
      calls('tc_3', 'write'),
      calls('tc_4', 'read'),
    )
    const { turn } = await play(agent)
    expect(runs(agent)).toEqual([
      'run read',
      'end read',
      'run write',
      'end write',
      'run write',
      'end write',
      'run read',
      'end read',
    ])
    expect(resultsOf(turn.messages)).toEqual(['tc_1: text', 'tc_2: written', 'tc_3: written', 'tc_4: text'])
  })
})

describe('a call that fails', () => {
  it('returns an error to the model, and the turn continues', async () => {
    const failing: ScriptedTool = {
      // biome-ignore lint/correctness/useYield: a tool without output
      run: async function* () {
        return errorResult('no such file', { path: 'x' })
      },
    }
    const agent = agentThatCalls({ read: failing }, calls('tc_1', 'read'), calls('tc_2', 'nope'))
    const { turn } = await play(agent)
    expect(resultsOf(turn.messages)).toEqual([
      'tc_1 failed: no such file',
      'tc_2 failed: there is no tool nope',
    ])
    expect(turn.messages).toContainEqual(
      expect.objectContaining({ toolCallId: 'tc_1', details: { path: 'x' } }),
    )
    expect(turn).toMatchObject({ rounds: 2, stopReason: 'end_turn' })
  })

  it('because of the runtime ends the turn and the other calls, and all are answered', async () => {
    const error = new PipeError('tool', 'the shell cannot be started')
    const agent = agentThatCalls(
      {
        wait: waits(new Promise(() => undefined), { readOnly: true, before: 'waiting', text: 'never' }),
        broken: breaks(error, { readOnly: true }),
        write: gives('written'),
      },
      calls('tc_1', 'wait'),
      calls('tc_2', 'broken'),
      calls('tc_3', 'write'),
    )
    const { events, turn } = await play(agent)
    expect(turn).toMatchObject({
      rounds: 1,
      stopReason: 'error',
      usage: { inputTokens: 10, outputTokens: 5 },
    })
    expect(turn.error).toBe(error)
    expect(resultsOf(turn.messages)).toEqual([
      `tc_1 failed: ${interrupted}`,
      `tc_2 failed: ${interrupted}`,
      `tc_3 failed: ${interrupted}`,
    ])
    validateHistory(agent.saved)
    expect(runs(agent)).toEqual(['run wait', 'run broken', 'end broken', 'end wait'])
    expect(events.map(brief).at(-1)).toBe('turn_end error')
    expect(agent.engine.state).toBe('idle')
  })

  it('because of a bug throws, and leaves no call without a result', async () => {
    const bug: ScriptedTool = {
      // biome-ignore lint/correctness/useYield: a tool that fails before it says anything
      run: async function* () {
        throw new TypeError('x is not a function')
      },
    }
    const agent = agentThatCalls({ bug }, calls('tc_1', 'bug'))
    await expect(play(agent)).rejects.toThrow(TypeError)
    validateHistory(agent.saved)
    expect(agent.engine.state).toBe('idle')
  })
})

describe('a call that must not run', () => {
  it('because its arguments are broken is sent back to the model', async () => {
    const journal: string[] = []
    const executor = scriptedTools({ write: gives('written') }, journal)
    const provider = adapted(
      async function* () {
        yield { type: 'tool_call_begin', id: 'tc_1', name: 'write' }
        yield { type: 'tool_call_delta', id: 'tc_1', delta: '{"path": "a.ts", ' }
        return { stopReason: 'tool_use' }
      },
      async function* () {
        yield { type: 'text_delta', id: 'b', delta: 'Sorry.' }
        return { stopReason: 'end_turn' }
      },
    )
    const agent = openAgent({ provider, executor, journal })
    const { turn } = await play(agent)
    expect(resultsOf(turn.messages)).toEqual([
      'tc_1 failed: The arguments of write are not valid JSON, so it was not run: {"path": "a.ts", \n' +
        'Send the call again.',
    ])
    expect(runs(agent)).toEqual([])
    expect(turn).toMatchObject({ rounds: 2, stopReason: 'end_turn' })
  })

  it.each(['length', 'refusal', 'error', 'end_turn'] as const)(
    'because its reply ended with %s is answered as interrupted',
    async (stopReason) => {
      const journal: string[] = []
      const executor = scriptedTools({ write: gives('written') }, journal)
      const cut = { ...round(calls('tc_1', 'write'), calls('tc_2', 'write')), stopReason }
      const agent = openAgent({ rounds: [cut], executor, journal })
      const { events, turn } = await play(agent)
      expect(turn).toMatchObject({ stopReason, rounds: 1 })
      expect(resultsOf(turn.messages)).toEqual([`tc_1 failed: ${interrupted}`, `tc_2 failed: ${interrupted}`])
      expect(runs(agent)).toEqual([])
      expect(events.map(({ type }) => type)).not.toContain('tool_start')
    },
  )
})

describe('a call whose name differs in case', () => {
  it('runs the tool and returns its result', async () => {
    const agent = agentThatCalls({ bash: gives('ran') }, calls('tc_1', 'Bash'), calls('tc_2', 'bash'))
    const { events, turn } = await play(agent)
    expect(runs(agent)).toEqual(['run bash', 'end bash', 'run bash', 'end bash'])
    expect(resultsOf(turn.messages)).toEqual(['tc_1: ran', 'tc_2: ran'])
    expect(events.flatMap((event) => (event.type === 'tool_start' ? [event.name] : []))).toEqual([
      'bash',
      'bash',
    ])
    expect(turn.messages.flatMap((m) => (m.type === 'tool_result' ? [m.toolName] : []))).toEqual([
      'Bash',
      'bash',
    ])
  })

  it('prefers an exact match if two tools differ only in case', async () => {
    const agent = agentThatCalls({ Read: gives('one'), read: gives('two') }, calls('tc_1', 'read'))
    const { turn } = await play(agent)
    expect(resultsOf(turn.messages)).toEqual(['tc_1: two'])
  })

  it('joins a batch if it only reads', () => {
    const executor = scriptedTools({ read: gives('text', { readOnly: true }) })
    expect(batches([call('tc_1', 'Read'), call('tc_2', 'read')], executor)).toHaveLength(1)
  })
})
