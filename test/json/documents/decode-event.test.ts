import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/event.ts'
import { decodeEvent } from '../../../src/json/documents/decode-event.ts'
import { eventFields } from '../../../src/json/documents/event-schema.ts'
import { isJsonObject, parseJson } from '../../../src/json-value.ts'
import { encodeEvent } from '../../../src/wire/event-json.ts'
import type { Unstamped } from '../../ink/conversation.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { assistant, call, text, toolResult, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'

const newId = countingIds()
const [agentId, elfId, session] = [newId.agent(), newId.agent(), newId.session()]
const interactionId = newId.interaction()
const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 3 }

const events: readonly Unstamped[] = [
  { type: 'text_delta', id: 'text_1', delta: 'Hello' },
  { type: 'thinking_delta', id: 'thinking_1', delta: 'Hm' },
  { type: 'tool_call_begin', id: 'tc_1', name: 'bash' },
  { type: 'tool_call_delta', id: 'tc_1', delta: '{' },
  { type: 'tool_call_end', call: { ...call('tc_1', 'bash'), argumentsRaw: '{' } },
  { type: 'turn_start', message: user(text('hi')) },
  { type: 'turn_start' },
  { type: 'turn_end', stopReason: 'end_turn', rounds: 1, usage, costUsd: 0.5 },
  { type: 'round_start', round: 1, provider: 'acme', model: 'large', reason: 'it sees images' },
  { type: 'round_end', round: 1, stopReason: 'tool_use', rawStopReason: 'calls', usage },
  { type: 'message', message: assistant(text('Hello'), call('tc_1', 'bash')) },
  { type: 'message', message: toolResult('tc_1', text('done')) },
  { type: 'tool_start', callId: 'tc_1', name: 'bash', arguments: { command: 'ls' } },
  { type: 'tool_output', callId: 'tc_1', stream: 'stderr', chunk: 'a.ts\n' },
  {
    type: 'tool_end',
    callId: 'tc_1',
    isError: true,
    content: [text('no')],
    details: { exit_code: 1 },
    durationMs: 5,
  },
  {
    type: 'interaction_requested',
    interaction: {
      id: interactionId,
      kind: 'select',
      purpose: 'confirm_risky_action',
      display: {
        title: 'Allow bash?',
        content: { command: 'ls' },
        contentKind: 'json',
        dangers: [{ text: 'runs as root', start: 0, end: 2 }, { text: 'deletes a' }],
      },
      options: [
        { id: 'allow_always', label: 'Yes, always', detail: 'saved in a.json' },
        { id: 'allow_all', label: 'Yes, all', confirm: 'All?' },
        { id: 'deny', label: 'No', isDefault: true },
      ],
      withheld: [{ id: 'allow_session', label: 'Yes, this session', reason: 'runs as root' }],
    },
    callId: 'tc_1',
  },
  {
    type: 'interaction_responded',
    response: { interactionId, answeredBy: 'user_ann', cancelled: true },
    callId: 'tc_1',
  },
  { type: 'state', from: 'idle', to: 'thinking' },
  { type: 'retry', attempt: 2, reason: 'busy', waitMs: 500, discarded: ['text_1'], requestId: 'r1' },
  { type: 'retry', attempt: 1, reason: 'busy', waitMs: 500, discarded: [], status: 529 },
  { type: 'retry', attempt: 0, reason: 'thoughts in the text', waitMs: 0, discarded: ['text_1'] },
  { type: 'fallback', from: 'a/b', to: 'c/d', reason: 'busy', discarded: [] },
  {
    type: 'compaction',
    trigger: 'auto',
    summary: 'All.',
    by: 'a/b',
    tokensBefore: 100,
    tokensAfter: 10,
  },
  { type: 'compaction_failed', reason: 'nothing to say' },
  { type: 'notice', text: 'an image was refused' },
  { type: 'unsaved', part: 'audit_log', reason: 'the disk is full' },
  { type: 'saved' },
  { type: 'rules_saved', rules: ['Bash(make)'], file: '~/.config/pipe/config.json' },
  { type: 'checkpoint', id: 'c1', notes: ['a.bin is too large'] },
  {
    type: 'elf_start',
    callId: 'tc_1',
    elfId,
    name: 'e1',
    agent: 'explore',
    model: 'a/b',
    prompt: 'look',
    sessionId: session,
    isBackground: true,
  },
  {
    type: 'elf_end',
    elfId,
    name: 'e1',
    stopReason: 'error',
    rounds: 1,
    usage,
    reason: 'busy',
    auditHead: 'ab',
  },
]

/** Decodes what was sent as a line. */
function received(line: object): AgentEvent | undefined {
  const value = parseJson(JSON.stringify(line))
  if (!isJsonObject(value)) throw new Error('no object')
  return decodeEvent(value, session)
}

describe('an event of stream-json', () => {
  it.each(events)('is read as it was written: $type', (event) => {
    const whole = { ...event, agentId, seq: 7 }
    expect(received(encodeEvent(whole))).toEqual(whole)
  })

  it('is tried of every type', () => {
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(eventFields)))
  })

  it.each(['stream', 'result', 'of_tomorrow', '__proto__', 'toString'])('is left out if it is a %s', (type) =>
    expect(received({ type, agent_id: agentId, seq: 1 })).toBeUndefined(),
  )

  it('is left out if it asks under an id that nobody can answer', () => {
    const response = { interaction_id: 'ask-1', answered_by: 'user_ann' }
    expect(received({ type: 'interaction_responded', response, agent_id: agentId, seq: 1 })).toBeUndefined()
  })

  it.each([
    [{ type: 'text_delta', id: 'a', delta: 5, agent_id: agentId, seq: 1 }, /text_delta\.delta/],
    [{ type: 'turn_end', stop_reason: 'bored', agent_id: agentId, seq: 1 }, /turn_end\.stop_reason/],
    [{ type: 'saved', agent_id: 'me', seq: 1 }, /which agent/],
    [{ type: 'saved', agent_id: agentId }, /which agent/],
  ])('is refused if its fields are of another kind: %j', async (line, message) =>
    expect(await thrown(() => received(line))).toMatchObject({
      code: 'protocol',
      message: expect.stringMatching(message),
    }),
  )
})
