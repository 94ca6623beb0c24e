import { describe, expect, it } from 'vitest'
import { ClaudeLines, type ClaudeLinesOptions } from '../../src/claude/claude-lines.ts'
import { PipeError } from '../../src/error.ts'
import type { AgentFact, StreamEvent } from '../../src/event.ts'
import type { AgentId } from '../../src/id.ts'
import type { JsonObject } from '../../src/json-value.ts'
import { omitUndefined } from '../../src/omit-undefined.ts'
import { countingIds } from '../support/messages/ids.ts'
import { timestamp } from '../support/messages/messages.ts'

const ids = countingIds()
const [own, elf] = [ids.agent(), ids.agent()]
const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4 }
const claudeUsage = {
  input_tokens: 6,
  output_tokens: 5,
  cache_read_input_tokens: 4,
  cache_creation_input_tokens: 0,
}

/** Opens the lines of a session, without what no test looks at. */
function open(options: Partial<ClaudeLinesOptions> = {}) {
  const written: JsonObject[] = []
  const lines = new ClaudeLines({
    write: (line) => written.push(line),
    newId: () => '00000000-0000-4000-8000-000000000000',
    words: { call: (tool, input) => ({ name: tool === 'bash' ? 'Bash' : tool, input }) },
    facts: () => ({ tools: ['Bash'] }),
    version: '1.0.0',
    windowOf: () => 1_000,
    monotonic: () => 0,
    hasPieces: false,
    repeatsUser: false,
    ...options,
  })
  lines.begin({ sessionId: 'session-1' })
  let seq = 0
  const event = (fact: StreamEvent | AgentFact, agentId: AgentId = own) => {
    seq += 1
    const one = { ...fact, agentId, seq }
    if (agentId === own) lines.event(one)
    else lines.elfEvent(one)
  }
  return { lines, written, event }
}

const round = { type: 'round_start', round: 1, provider: 'p', model: 'm' } as const
const reply = (content: Extract<AgentFact, { type: 'message' }>['message']['content']) =>
  ({
    type: 'message',
    message: { type: 'assistant', id: ids.message(), content, timestamp, stopReason: 'end_turn', usage },
  }) as const

describe('the lines of Claude Code', () => {
  it('begin each turn with the facts, and name the session in every line', () => {
    const { written, event } = open()
    event({ type: 'turn_start' })
    event(round)
    event(reply([{ type: 'text', text: 'Hi.' }]))
    expect(written).toMatchObject([
      {
        type: 'system',
        subtype: 'init',
        tools: ['Bash'],
        claude_code_version: '1.0.0',
        session_id: 'session-1',
      },
      { type: 'assistant', message: { model: 'p/m', usage: claudeUsage }, session_id: 'session-1' },
    ])
  })

  it('hold the pieces of a reply, a block after the other, if they are asked for', () => {
    const { written, event } = open({ hasPieces: true })
    event(round)
    event({ type: 'thinking_delta', id: 't', delta: 'Hm' })
    event({ type: 'text_delta', id: 'a', delta: 'Look' })
    event({ type: 'text_delta', id: 'a', delta: 'ing.' })
    const call = { type: 'tool_call', id: 'c', name: 'bash', arguments: { command: 'ls' } } as const
    event({ type: 'tool_call_end', call })
    event(reply([{ type: 'text', text: 'Looking.' }, call]))
    const pieces = written.filter(({ type }) => type === 'stream_event').map(({ event: piece }) => piece)
    expect(pieces).toMatchObject([
      { type: 'message_start', message: { role: 'assistant', model: 'p/m', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Look' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'ing.' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'c', name: 'Bash' } },
      {
        type: 'content_block_delta',
        index: 2,
        delta: { type: 'input_json_delta', partial_json: '{"command":"ls"}' },
      },
      { type: 'content_block_stop', index: 2 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: claudeUsage },
      { type: 'message_stop' },
    ])
    expect(written.at(-1)?.['type']).toBe('assistant')
  })

  it('end the pieces of a reply that is asked for again', () => {
    const { written, event } = open({ hasPieces: true })
    event(round)
    event({ type: 'text_delta', id: 'a', delta: 'Lo' })
    event({ type: 'retry', attempt: 1, reason: 'busy', waitMs: 10, discarded: ['a'] })
    event({ type: 'text_delta', id: 'a', delta: 'Hi' })
    expect(
      written.map(({ type, subtype, event: piece }) => subtype ?? (piece as JsonObject)?.['type'] ?? type),
    ).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'api_retry',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'message_start',
      'content_block_start',
      'content_block_delta',
    ])
  })

  it.each([
    [429, 'rate_limit'],
    [529, 'overloaded'],
    [503, 'overloaded'],
    [500, 'server_error'],
    [undefined, 'unknown'],
  ])('tell why a reply is asked for again: %s', (status, error) => {
    const { written, event } = open()
    event({
      type: 'retry',
      attempt: 2,
      reason: 'busy',
      waitMs: 10,
      discarded: [],
      ...omitUndefined({ status }),
    })
    expect(written).toMatchObject([
      { attempt: 2, max_retries: 5, retry_delay_ms: 10, error_status: status ?? null, error },
    ])
  })

  it.each(['manual', 'auto'] as const)('tell a summary of the trigger %s from the other', (trigger) => {
    const { written, event } = open()
    event({ type: 'compaction', trigger, summary: 'All.', tokensBefore: 9_000, tokensAfter: 200 })
    expect(written).toMatchObject([
      {
        type: 'system',
        subtype: 'compact_boundary',
        compact_metadata: { trigger, pre_tokens: 9_000, post_tokens: 200 },
      },
    ])
  })

  it('hold one block of a reply each, of which the last says how the reply ended', () => {
    const { written, event } = open()
    event(round)
    const call = { type: 'tool_call', id: 'c', name: 'bash', arguments: { command: 'ls' } } as const
    const said = reply([{ type: 'thinking', thinking: 'Hm' }, { type: 'text', text: 'Look.' }, call])
    event(said)
    const [id] = written.map(({ message }) => (message as JsonObject)['id'])
    const line = (content: JsonObject, stop_reason: string | null, uuid: unknown) => ({
      type: 'assistant',
      message: { id, content: [content], stop_reason, usage: claudeUsage },
      timestamp,
      uuid,
    })
    const other = expect.not.stringContaining(said.message.id)
    expect(written).toMatchObject([
      line({ type: 'thinking', thinking: 'Hm' }, null, other),
      line({ type: 'text', text: 'Look.' }, null, other),
      line({ type: 'tool_use', id: 'c', name: 'Bash' }, 'end_turn', said.message.id),
    ])
  })

  const hunk = {
    oldStart: 1,
    oldLines: 2,
    newStart: 1,
    newLines: 1,
    lines: ['-one', '+uno', '-two', '\\ No newline at end of file'],
  }
  it.each([
    ['text', 'read', {}, '1\tone', '1\tone', {}],
    ['an error', 'read', {}, 'no file', 'Error: no file', { isError: true }],
    [
      'what a command printed',
      'bash',
      { command: 'ls' },
      'a.txt',
      { stdout: 'a.txt', stderr: '', interrupted: false, isImage: false },
      { details: { exit_code: 0 } },
    ],
    [
      'the changes of a file',
      'edit',
      { file_path: '/a', old_string: 'one', new_string: 'uno' },
      'changed a',
      { filePath: '/a', oldString: 'one', newString: 'uno', type: 'update', structuredPatch: [hunk] },
      { details: { before: 'x', diff: `--- a\n+++ b\n@@ -1,2 +1 @@\n${hunk.lines.join('\n')}\n` } },
    ],
    [
      'a new file',
      'write',
      { file_path: '/b', content: 'b\n' },
      'created b',
      { filePath: '/b', content: 'b\n', type: 'create', structuredPatch: [] },
      { details: { diff: '--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+b\n' } },
    ],
    [
      'blocks of a server',
      'mcp__s__add',
      {},
      [{ type: 'text', text: '3' }],
      [{ type: 'text', text: '3' }],
      {},
    ],
  ])('hold of a result %s', (_, name, args, content, outcome, more) => {
    const { written, event } = open()
    event(round)
    event(reply([{ type: 'tool_call', id: 'c', name, arguments: args }]))
    const text = typeof content === 'string' ? content : '3'
    const result = { isError: false, content: [{ type: 'text', text }], ...more } as const
    const about = {
      type: 'tool_result',
      id: ids.message(),
      timestamp,
      toolCallId: 'c',
      toolName: name,
    } as const
    event({ type: 'message', message: { ...about, ...result } })
    expect(written.at(-1)).toMatchObject({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 'c', content, is_error: result.isError }] },
      tool_use_result: outcome,
      timestamp,
    })
  })

  it.each([
    ['made', 'made'],
    ['(no output)', ''],
  ])('hold what a command printed apart from what a hook says: %s', (text, stdout) => {
    const { written, event } = open()
    const content = [text, '\n\n[A hook says: ok]'].map((one) => ({ type: 'text' as const, text: one }))
    const about = { type: 'tool_result', id: ids.message(), timestamp, toolCallId: 'c' } as const
    const result = { toolName: 'bash', isError: false, content, details: { exit_code: 0 } }
    event({ type: 'message', message: { ...about, ...result } })
    expect(written.at(-1)).toMatchObject({
      message: { content: [{ content: `${text}\n\n[A hook says: ok]` }] },
      tool_use_result: { stdout },
    })
  })

  it('name the call that an agent works for', () => {
    const { written, event } = open()
    event(round)
    event({
      type: 'elf_start',
      callId: 'call-1',
      elfId: elf,
      name: 'e1',
      agent: 'explore',
      model: 'p/s',
      prompt: 'go',
    })
    event({ ...round, model: 's' }, elf)
    event(reply([{ type: 'text', text: 'Found.' }]), elf)
    expect(written).toMatchObject([
      { type: 'assistant', message: { model: 'p/s' }, parent_tool_use_id: 'call-1' },
    ])
  })

  it('sum up what each model was used for, over all turns', () => {
    const { lines, written, event } = open()
    const turn = { usage, rounds: 1, stopReason: 'end_turn' } as const
    const json = { result: 'Hi.', duration_ms: 3, permission_denials: [] }
    for (const costUsd of [0.25, 0.5]) {
      event(round)
      event({ type: 'round_end', round: 1, stopReason: 'end_turn', usage, costUsd })
      lines.end(turn, { exitCode: 0 }, json)
    }
    expect(written).toMatchObject([
      { subtype: 'success', result: 'Hi.', total_cost_usd: 0.25, usage: claudeUsage },
      {
        total_cost_usd: 0.75,
        usage: claudeUsage,
        modelUsage: {
          'p/m': {
            inputTokens: 12,
            outputTokens: 10,
            cacheReadInputTokens: 8,
            costUSD: 0.75,
            contextWindow: 1_000,
          },
        },
      },
    ])
  })

  it('say how long the models of a turn took, without its calls and without its elves', () => {
    let now = 0
    const { lines, written, event } = open({ monotonic: () => now })
    const at = (ms: number, fact: StreamEvent | AgentFact, agentId?: AgentId) => {
      now = ms
      event(fact, agentId)
    }
    const end = (ms: number) => {
      now = ms
      lines.end({ usage, rounds: 2, stopReason: 'end_turn' }, { exitCode: 0 }, { duration_ms: ms })
    }
    at(0, { type: 'turn_start' })
    at(10, round)
    at(30.4, reply([{ type: 'tool_call', id: 'c', name: 'task', arguments: {} }]))
    at(31, { type: 'elf_start', callId: 'c', elfId: elf, name: 'e1', agent: 'a', model: 'p/m', prompt: 'go' })
    at(40, round, elf)
    at(90, reply([{ type: 'text', text: 'Verse.' }]), elf)
    at(100, { ...round, round: 2 })
    at(105, reply([{ type: 'text', text: 'Done.' }]))
    end(120)
    at(200, { type: 'turn_start' })
    at(210, round)
    end(217)
    expect(written.filter(({ type }) => type === 'result')).toMatchObject([
      { duration_ms: 120, duration_api_ms: 25 },
      { duration_ms: 217, duration_api_ms: 7 },
    ])
  })

  it.each([
    ['turn_limit', 'error_max_turns', 'max_turns'],
    ['budget', 'error_max_budget_usd', 'budget_exhausted'],
    ['schema', 'error_max_structured_output_retries', 'structured_output_retry_exhausted'],
    ['aborted', 'error_during_execution', 'aborted_streaming'],
    ['auth', 'error_during_execution', 'model_error'],
  ] as const)('call %s %s', (code, subtype, terminal_reason) => {
    const { lines, written } = open()
    const denied = { call_id: 'c', name: 'bash', arguments: { command: 'ls' }, reason: 'no' }
    lines.end(
      { usage, rounds: 2, stopReason: 'error' },
      { exitCode: 1, error: new PipeError(code, 'it failed') },
      { result: '', duration_ms: 3, permission_denials: [denied] },
    )
    expect(written).toMatchObject([
      {
        type: 'result',
        subtype,
        terminal_reason,
        is_error: true,
        num_turns: 2,
        stop_reason: null,
        errors: ['it failed'],
        permission_denials: [{ tool_name: 'Bash', tool_use_id: 'c', tool_input: { command: 'ls' } }],
      },
    ])
  })
})
