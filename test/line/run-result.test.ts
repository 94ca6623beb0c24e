import { describe, expect, it } from 'vitest'
import type { Actor } from '../../src/actor.ts'
import { PipeError } from '../../src/error.ts'
import { judgeTurn, type Outcome } from '../../src/line/outcome.ts'
import { RunResult } from '../../src/line/run-result.ts'
import { guard } from '../../src/permission/guard.ts'
import type { ScriptRound } from '../../src/replay/script.ts'
import type { ToolExecutor } from '../../src/tool.ts'
import { calls, failing, openAgent, play, round, says } from '../support/conversations/agent.ts'
import { gives, scriptedTools } from '../support/conversations/scripted-tools.ts'
import { countingIds } from '../support/messages/ids.ts'
import { testPolicy } from '../support/permission/policy.ts'

const tools = scriptedTools({ read: gives('text'), bash: gives('ran') })

/** Runs a turn with these replies and returns its result. */
async function resultOf(rounds: readonly ScriptRound[], executor: ToolExecutor = tools): Promise<RunResult> {
  const result = new RunResult()
  await play(openAgent({ rounds, executor }), { see: (event) => result.add(event) })
  return result
}

const about = { sessionId: 'abc', durationMs: 12 }
const success: Outcome = { exitCode: 0 }

describe('the answer of a run', () => {
  const busy = { code: 'overloaded', message: 'busy', after: 1 } as const

  it.each<[string, readonly ScriptRound[], string]>([
    ['is the text of the only round', [round(says('All'), says(' of it.\n'))], 'All of it.\n'],
    [
      'is only the last round',
      [round(says('I look.'), calls('tc_1', 'read')), round(says('Done.'))],
      'Done.',
    ],
    ['excludes discarded text', [failing(round(says('one two')), busy)], 'one two'],
    ['excludes thinking', [round({ type: 'thinking', thinking: 'Hm.' }, says('So.'))], 'So.'],
    [
      'at the length limit is the partial text',
      [{ ...round(says('Once upon')), stopReason: 'length' }],
      'Once upon',
    ],
    ['of a refusal is its text', [{ ...round(says('I will not.')), stopReason: 'refusal' }], 'I will not.'],
    ['is empty if the server cut it off', [{ ...round(says('Half')), stopReason: 'error' }], ''],
    [
      'is empty with a cut call',
      [{ ...round(says('I look.'), calls('tc_1', 'read')), stopReason: 'length' }],
      '',
    ],
    [
      'is empty after a permanent failure',
      [round(says('I look.'), calls('tc_1', 'read')), failing(round(says('x y')), { ...busy, code: 'auth' })],
      '',
    ],
  ])('%s', async (_, rounds, answer) => {
    expect((await resultOf(rounds)).answer).toBe(answer)
  })
})

describe('the object of a run', () => {
  it('contains the partial text of an interrupted run', async () => {
    const rounds = [
      round(says('I look.'), calls('tc_1', 'read')),
      { ...round(says('Half')), stopReason: 'aborted' as const },
    ]
    const result = await resultOf(rounds)
    const outcome: Outcome = { exitCode: 143, error: new PipeError('aborted', 'ended by SIGTERM') }
    expect([result.text(outcome), result.toJson(outcome, about)['result']]).toEqual(['', 'Half'])
  })

  it.each([
    [0.1 + 0.2, '0.3'],
    [1.23e-7, '0'],
    [4.000000000000001e-6, '0.000004'],
    [12.3456789, '12.345679'],
  ])('prints a cost of %f with at most six digits', (costUsd, printed) => {
    const result = new RunResult()
    result.costUsd = costUsd
    expect(JSON.stringify(result.toJson(success, about)['cost_usd'])).toBe(printed)
  })

  it('has all fields after a success', async () => {
    const result = await resultOf([round(calls('tc_1', 'read')), round(says('Done.'))])
    expect(result.toJson(success, about)).toEqual({
      type: 'result',
      is_error: false,
      exit_code: 0,
      stop_reason: 'end_turn',
      result: 'Done.',
      session_id: 'abc',
      turns: 1,
      rounds: 2,
      usage: { input_tokens: 20, output_tokens: 10 },
      model: 'replay/script',
      duration_ms: 12,
      permission_denials: [],
    })
  })

  it('never reports an error as success', async () => {
    const error = new PipeError('turn_limit', 'stopped after 1 round', { details: { field: 'x' } })
    const result = await resultOf([round(says('Done.'))])
    expect(result.toJson({ exitCode: 53, error }, { ...about, sessionId: undefined })).toMatchObject({
      is_error: true,
      exit_code: 53,
      error: { code: 'turn_limit', message: 'stopped after 1 round', details: { field: 'x' } },
    })
  })

  it('counts cached and thinking tokens', async () => {
    const usage = {
      inputTokens: 100,
      outputTokens: 50,
      cacheReadTokens: 80,
      cacheWriteTokens: 10,
      reasoningTokens: 40,
    }
    const result = await resultOf([{ ...round(says('Done.')), usage }])
    expect(result.toJson(success, about)).toMatchObject({
      usage: {
        input_tokens: 100,
        output_tokens: 50,
        cache_read_tokens: 80,
        cache_write_tokens: 10,
        reasoning_tokens: 40,
      },
    })
  })

  it('names each denied call', async () => {
    const executor = guard(tools, {
      policy: testPolicy({ mode: 'plan' }),
      newId: countingIds(),
      onAsk: 'deny',
    })
    const made = [calls('tc_1', 'bash', { command: 'ls' }), calls('tc_2', 'nope')]
    const result = await resultOf([round(...made), round(says('I may not.'))], executor)
    expect(result.toJson(success, about)).toMatchObject({
      permission_denials: [
        {
          call_id: 'tc_1',
          name: 'bash',
          arguments: { command: 'ls' },
          reason: 'pipe does not have the capability tool_run_command',
        },
      ],
    })
  })

  it('names the call that stopped the run because nobody could be asked', async () => {
    const executor = guard(tools, {
      policy: testPolicy(),
      newId: countingIds(),
      onAsk: 'stop',
    })
    const result = new RunResult()
    const actor: Actor = {
      id: 'agent_pipe',
      kind: 'agent',
      displayName: 'pipe',
      capabilities: ['tool_run_command'],
    }
    const rounds = [round(calls('tc_1', 'bash', { command: 'touch a' }))]
    const agent = openAgent({ rounds, executor, actor })
    const { turn } = await play(agent, { see: (event) => result.add(event) })
    const outcome = judgeTurn(turn, undefined)
    expect(result.toJson(outcome, about)).toMatchObject({
      exit_code: 45,
      permission_denials: [
        {
          call_id: 'tc_1',
          name: 'bash',
          arguments: { command: 'touch a' },
          reason: outcome.error?.details['reason'],
        },
      ],
    })
  })

  it('is complete without any events', () => {
    const error = new PipeError('internal', 'disk full')
    expect(new RunResult().toJson({ exitCode: 1, error }, about)).toMatchObject({
      is_error: true,
      stop_reason: 'unknown',
      result: '',
      turns: 0,
      rounds: 0,
      usage: { input_tokens: 0, output_tokens: 0 },
      model: '',
    })
  })
})
