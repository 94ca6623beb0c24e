import { describe, expect, it } from 'vitest'
import type { AgentFact, StreamEvent } from '../../src/event.ts'
import { eventLineSchema } from '../../src/json/documents/event-schema.ts'
import { jsonReporter, type Reporter } from '../../src/line/reporter.ts'
import { RunResult } from '../../src/line/run-result.ts'
import { streamJsonReporter } from '../../src/line/stream-json.ts'
import { errorResult } from '../../src/tool.ts'
import { encodeEvent } from '../../src/wire/event-json.ts'
import { calls, failing, openAgent, play, round, says } from '../support/conversations/agent.ts'
import { capture } from '../support/conversations/host.ts'
import { asks } from '../support/conversations/questions.ts'
import { scriptedTools } from '../support/conversations/scripted-tools.ts'
import { countingIds } from '../support/messages/ids.ts'
import { messageId, timestamp } from '../support/messages/messages.ts'

const agentId = countingIds().agent()
const busy = { code: 'overloaded', message: 'busy', after: 0 } as const

const tools = () =>
  scriptedTools({
    bash: {
      run: async function* () {
        yield { type: 'output', stream: 'stderr', chunk: 'oh\u2028\n' }
        return errorResult('exit 1', { exit_code: 1 })
      },
    },
    ask: asks('Which way?'),
  })

/** Fails if a line does not match the schema. */
function expectDescribed(line: unknown): void {
  expect(eventLineSchema.parse(line)).toEqual(line)
}

/** Runs a model that acts, asks and answers. Returns its events and the reporter's lines. */
async function reported(
  open: (stdout: ReturnType<typeof capture>) => Reporter,
  sessionId: string | undefined,
) {
  const stdout = capture(false)
  const reporter = open(stdout)
  const result = new RunResult()
  const rounds = [
    failing(round(says('Hm.'), calls('tc_1', 'bash', { command: 'x' }), calls('tc_2', 'ask')), busy),
    round(says('Done.')),
  ]
  const agent = openAgent({ rounds, executor: tools() })
  reporter.begin({ sessionId, model: 'replay/script', cwd: '/here' })
  const { events } = await play(agent, {
    see: (event) => {
      result.add(event)
      void reporter.event(event)
      if (event.type !== 'interaction_requested') return
      const interactionId = event.interaction.id
      agent.engine.send({
        type: 'respond',
        response: { interactionId, answeredBy: 'user_test', inputValue: 'left' },
      })
    },
  })
  const outcome = { exitCode: 0 }
  const json = result.toJson(outcome, { sessionId, durationMs: 7 })
  reporter.end(result, outcome, json)
  return { events, json, lines: stdout.text().split('\n') }
}

describe('stream-json', () => {
  it('prints the header, each event in order, and the result, one per line', async () => {
    const { events, json, lines } = await reported(streamJsonReporter, 'abc')
    expect(lines.pop()).toBe('')
    const values = lines.map((line): unknown => JSON.parse(line))
    expect(values[0]).toEqual({
      type: 'stream',
      version: 1,
      session_id: 'abc',
      model: 'replay/script',
      cwd: '/here',
    })
    expect(values.at(-1)).toEqual(json)
    expect(values.slice(1, -1)).toEqual(events.map((event) => encodeEvent(event)))
    values.forEach(expectDescribed)
  })

  it('prints each event’s type first, and its agent and number last', async () => {
    const { events, lines } = await reported(streamJsonReporter, undefined)
    for (const [i, { type }] of events.entries()) {
      const line = lines[i + 1] ?? ''
      expect(line.startsWith(`{"type":"${type}",`)).toBe(true)
      expect(line.endsWith(`,"agent_id":"${agentId}","seq":${i + 1}}`)).toBe(true)
    }
  })

  it('repeats 1 MB of a call’s output, and reports what it omits', () => {
    const stdout = capture(false)
    const reporter = streamJsonReporter(stdout)
    const put = (callId: string, seq: number, size: number) =>
      ({ type: 'tool_output', callId, stream: 'stdout', chunk: 'x'.repeat(size), agentId, seq }) as const
    const over = (callId: string, seq: number) =>
      ({ type: 'tool_end', callId, isError: false, content: [], durationMs: 1, agentId, seq }) as const
    const mega = 1024 * 1024
    const events = [
      put('a', 1, mega),
      put('b', 2, 5),
      put('a', 3, 1),
      put('a', 4, 7),
      over('a', 5),
      over('b', 6),
    ]
    for (const event of events) void reporter.event(event)
    const values = stdout
      .text()
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    values.forEach(expectDescribed)
    const [whole, short, , , first, second] = events.map((event) => encodeEvent(event))
    expect(values).toEqual([
      whole,
      short,
      { ...encodeEvent(put('a', 3, 0)), truncated: true },
      { ...first, output_left_out: 8 },
      second,
    ])
  })

  it('prints composite questions and answers part by part', () => {
    const { interaction: newId } = countingIds()
    const [id, first, second] = [newId(), newId(), newId()]
    const display = { title: 'Sure?' }
    const options = [{ id: 'yes', label: 'Yes', isDefault: true }]
    const parts = [
      { id: first, kind: 'confirm', purpose: 'request_info', display, options },
      { id: second, kind: 'input', purpose: 'request_info', display, validation: { required: true } },
    ] as const
    const kind = { kind: 'composite', purpose: 'request_info', display } as const
    const answeredBy = 'user_test'
    const stamp = { agentId, seq: 1 }
    const interaction = {
      type: 'interaction_requested',
      interaction: { id, ...kind, parts },
      ...stamp,
    } as const
    expectDescribed(encodeEvent(interaction))
    expect(encodeEvent(interaction)).toMatchObject({
      interaction: {
        id,
        parts: [{ ...parts[0], options: [{ id: 'yes', label: 'Yes', is_default: true }] }, parts[1]],
      },
    })
    const answers = [
      { interactionId: first, answeredBy, selectedOptionId: 'yes' },
      { interactionId: second, answeredBy, inputValue: 'x' },
    ]
    const response = { interactionId: id, answeredBy, parts: answers }
    expectDescribed(encodeEvent({ type: 'interaction_responded', response, ...stamp }))
    expect(encodeEvent({ type: 'interaction_responded', response, ...stamp })).toMatchObject({
      response: {
        interaction_id: id,
        parts: [
          { interaction_id: first, answered_by: answeredBy, selected_option_id: 'yes' },
          { interaction_id: second, answered_by: answeredBy, input_value: 'x' },
        ],
      },
    })
  })

  it('prints a whole run with its field names', async () => {
    const { events, lines } = await reported(streamJsonReporter, undefined)
    const byType = new Map(events.map(({ type }, i) => [type, JSON.parse(lines[i + 1] ?? '')]))
    const rest = { agent_id: agentId, seq: expect.any(Number) }
    const user = { type: 'user', id: messageId(1), content: [{ type: 'text', text: 'hello' }], timestamp }
    const usage = { input_tokens: 10, output_tokens: 5 }
    const interactionId = countingIds().interaction()
    expect(Object.fromEntries(byType)).toEqual({
      turn_start: { type: 'turn_start', message: user, ...rest },
      state: { type: 'state', from: 'reflecting', to: 'idle', ...rest },
      round_start: { type: 'round_start', round: 2, provider: 'replay', model: 'script', ...rest },
      retry: { type: 'retry', attempt: 1, reason: 'busy', wait_ms: 500, discarded: [], ...rest },
      text_delta: { type: 'text_delta', id: 'block_0', delta: 'Done.', ...rest },
      tool_call_begin: { type: 'tool_call_begin', id: 'tc_2', name: 'ask', ...rest },
      tool_call_delta: { type: 'tool_call_delta', id: 'tc_2', delta: '{}', ...rest },
      tool_call_end: { type: 'tool_call_end', call: { id: 'tc_2', name: 'ask', arguments: {} }, ...rest },
      tool_start: { type: 'tool_start', call_id: 'tc_2', name: 'ask', arguments: {}, ...rest },
      tool_output: { type: 'tool_output', call_id: 'tc_1', stream: 'stderr', chunk: 'oh\u2028\n', ...rest },
      tool_end: {
        type: 'tool_end',
        call_id: 'tc_2',
        is_error: false,
        content: [{ type: 'text', text: 'left' }],
        duration_ms: 0,
        ...rest,
      },
      interaction_requested: {
        type: 'interaction_requested',
        interaction: {
          id: interactionId,
          kind: 'input',
          purpose: 'generic',
          display: { title: 'Which way?' },
        },
        call_id: 'tc_2',
        ...rest,
      },
      interaction_responded: {
        type: 'interaction_responded',
        response: { interaction_id: interactionId, answered_by: 'user_test', input_value: 'left' },
        call_id: 'tc_2',
        ...rest,
      },
      message: {
        type: 'message',
        message: {
          type: 'assistant',
          id: expect.any(String),
          content: [{ type: 'text', text: 'Done.' }],
          timestamp,
          provider: 'replay',
          model: 'script',
          stop_reason: 'end_turn',
          usage,
        },
        ...rest,
      },
      round_end: {
        type: 'round_end',
        round: 2,
        stop_reason: 'end_turn',
        usage,
        ...rest,
      },
      turn_end: {
        type: 'turn_end',
        stop_reason: 'end_turn',
        rounds: 2,
        usage: { input_tokens: 20, output_tokens: 10 },
        ...rest,
      },
    })
  })

  it.each<[string, AgentFact | StreamEvent, object]>([
    [
      'a fallback model',
      { type: 'fallback', from: 'a/b', to: 'c/d', reason: 'busy', discarded: ['text'] },
      { from: 'a/b', to: 'c/d', reason: 'busy', discarded: ['text'] },
    ],
    [
      'a retried reply',
      {
        type: 'retry',
        attempt: 1,
        reason: 'busy',
        waitMs: 5,
        discarded: [],
        requestId: 'req_1',
        status: 503,
      },
      { attempt: 1, reason: 'busy', wait_ms: 5, discarded: [], request_id: 'req_1', status: 503 },
    ],
    [
      'a summarised history',
      {
        type: 'compaction',
        trigger: 'manual',
        summary: 'We began.',
        tokensBefore: 9_000,
        tokensAfter: 200,
      },
      { trigger: 'manual', summary: 'We began.', tokens_before: 9_000, tokens_after: 200 },
    ],
    [
      'a summary that failed',
      { type: 'compaction_failed', reason: 'the model wrote none' },
      { reason: 'the model wrote none' },
    ],
    ['a notice', { type: 'notice', text: 'an image was refused' }, { text: 'an image was refused' }],
    [
      'saved files',
      { type: 'checkpoint', id: 'abc', notes: ['left out: x'] },
      { id: 'abc', notes: ['left out: x'] },
    ],
    ['unsaved files', { type: 'checkpoint', notes: ['why'] }, { notes: ['why'] }],
    [
      'a round of another model',
      { type: 'round_start', round: 1, provider: 'a', model: 'b', reason: 'c/d cannot see images' },
      { round: 1, provider: 'a', model: 'b', reason: 'c/d cannot see images' },
    ],
    [
      'a call with cut arguments',
      {
        type: 'tool_call_end',
        call: { type: 'tool_call', id: 'a', name: 'b', arguments: null, argumentsRaw: '{' },
      },
      { call: { id: 'a', name: 'b', arguments: null, arguments_raw: '{' } },
    ],
    [
      'a failed call with its details',
      { type: 'tool_end', callId: 'a', durationMs: 3, ...errorResult('no', { exit_code: 1 }) },
      {
        call_id: 'a',
        is_error: true,
        content: [{ type: 'text', text: 'no' }],
        details: { exit_code: 1 },
        duration_ms: 3,
      },
    ],
    [
      'a question with choices',
      {
        type: 'interaction_requested',
        interaction: {
          id: countingIds().interaction(),
          kind: 'select',
          purpose: 'confirm_risky_action',
          display: { title: 'T', description: 'D', content: { a: 1 }, contentKind: 'json' },
          options: [{ id: 'no', label: 'No', style: 'danger', isDefault: true }],
          validation: { required: true },
        },
      },
      {
        interaction: {
          id: countingIds().interaction(),
          kind: 'select',
          purpose: 'confirm_risky_action',
          display: { title: 'T', description: 'D', content: { a: 1 }, content_kind: 'json' },
          options: [{ id: 'no', label: 'No', style: 'danger', is_default: true }],
          validation: { required: true },
        },
      },
    ],
  ])('prints %s', (_, event, fields) => {
    expectDescribed(encodeEvent({ ...event, agentId, seq: 1 }))
    expect(encodeEvent({ ...event, agentId, seq: 1 })).toEqual({
      type: event.type,
      ...fields,
      agent_id: agentId,
      seq: 1,
    })
  })
})

describe('json', () => {
  it('prints the result as one line', async () => {
    const { json, lines } = await reported(jsonReporter, 'abc')
    expect(lines).toEqual([JSON.stringify(json), ''])
    expect(lines[0]).toMatch(/^\{"type":"result","is_error":false,/)
  })
})
