import * as z from 'zod'
import { PipeError } from '../../error.ts'
import type { AgentEvent, AgentFact, StreamEvent } from '../../event.ts'
import { isAgentId, isSessionId, type SessionId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import type { ContentBlock, Message } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { decodeBlock, decodeMessage, decodeMessageId, decodeUsage } from './decode.ts'
import { decodeInteraction, decodeResponse } from './decode-question.ts'
import { eventFields as fields } from './event-schema.ts'
import type { DiskBlock, DiskMessage } from './schema.ts'

/** An event without its agent and number. */
type Fact = StreamEvent | AgentFact

/** Reads the fields of one type of event. `undefined` if it is about an id that is not one of ours. */
type Reading = (line: JsonObject, session: SessionId) => Fact | undefined

/**
 * Decodes a line of stream-json as an event of this session. `undefined` for a type that this version does not know, and for lines that
 * are no events. Throws `protocol` for an event whose fields are not as they should be.
 */
export function decodeEvent(line: JsonObject, session: SessionId): AgentEvent | undefined {
  const { type, agent_id: agentId, seq } = line
  const read = typeof type === 'string' ? readings.get(type) : undefined
  if (read === undefined) return undefined
  if (typeof agentId !== 'string' || !isAgentId(agentId) || typeof seq !== 'number')
    throw new PipeError('protocol', `an event of type ${String(type)} does not say which agent it is of`)
  const fact = read(line, session)
  return fact && { ...fact, agentId, seq }
}

/** Decodes a message of this session from its JSON form. Its blobs are missing. */
export function decodeSentMessage(disk: DiskMessage, session: SessionId): Message {
  const { id = `${disk.type} ${disk.timestamp}`, parent_id: parent } = disk
  const ids = {
    id: decodeMessageId(session, id),
    parentId: parent === undefined ? undefined : decodeMessageId(session, parent),
  }
  return decodeMessage(disk, ids, noBlob)
}

const noBlob = () => undefined

function decodeContent(blocks: readonly DiskBlock[]): readonly ContentBlock[] {
  return blocks.map((block) => decodeBlock(block, noBlob))
}

function reading<Shape extends z.ZodRawShape>(
  shape: Shape,
  decode: (disk: z.output<z.ZodObject<Shape>>, session: SessionId) => Fact | undefined,
): Reading {
  const schema = z.object(shape)
  return (line, session) => {
    const { success, data, error } = schema.safeParse(line)
    if (success) return decode(data, session)
    const [{ path, message } = { path: [], message: 'unknown' }] = error.issues
    const place = [line['type'], ...path].join('.')
    throw new PipeError('protocol', `an event does not match this version of pipe (${place}: ${message})`)
  }
}

const readings: ReadonlyMap<string, Reading> = new Map(
  Object.entries({
    text_delta: reading(fields.text_delta, (disk) => ({ type: 'text_delta', ...disk })),
    thinking_delta: reading(fields.thinking_delta, (disk) => ({ type: 'thinking_delta', ...disk })),
    tool_call_begin: reading(fields.tool_call_begin, (disk) => ({ type: 'tool_call_begin', ...disk })),
    tool_call_delta: reading(fields.tool_call_delta, (disk) => ({ type: 'tool_call_delta', ...disk })),
    tool_call_end: reading(fields.tool_call_end, ({ call }) => {
      const { arguments_raw: argumentsRaw, ...rest } = call
      return {
        type: 'tool_call_end',
        call: { type: 'tool_call', ...rest, ...omitUndefined({ argumentsRaw }) },
      }
    }),
    turn_start: reading(fields.turn_start, ({ message: disk }, session) => {
      const message = disk && decodeSentMessage(disk, session)
      return { type: 'turn_start', ...(message?.type === 'user' ? { message } : {}) }
    }),
    turn_end: reading(fields.turn_end, ({ stop_reason: stopReason, rounds, usage, cost_usd: costUsd }) => {
      const ended = { stopReason, rounds, usage: decodeUsage(usage) }
      return { type: 'turn_end', ...ended, ...omitUndefined({ costUsd }) }
    }),
    round_start: reading(fields.round_start, (disk) => ({ type: 'round_start', ...disk })),
    round_end: reading(fields.round_end, ({ round, stop_reason: stopReason, usage, ...rest }) => {
      const more = omitUndefined({ rawStopReason: rest.raw_stop_reason, costUsd: rest.cost_usd })
      return { type: 'round_end', round, stopReason, usage: decodeUsage(usage), ...more }
    }),
    message: reading(fields.message, ({ message }, session) => ({
      type: 'message',
      message: decodeSentMessage(message, session),
    })),
    tool_start: reading(fields.tool_start, ({ call_id: callId, name, arguments: args }) => ({
      type: 'tool_start',
      callId,
      name,
      arguments: args,
    })),
    tool_output: reading(fields.tool_output, ({ call_id: callId, stream, chunk }) => ({
      type: 'tool_output',
      callId,
      stream,
      chunk,
    })),
    tool_end: reading(fields.tool_end, ({ call_id: callId, is_error: isError, content, ...rest }) => {
      const { details, duration_ms: durationMs } = rest
      const ended = { callId, isError, content: decodeContent(content), durationMs }
      return { type: 'tool_end', ...ended, ...omitUndefined({ details }) }
    }),
    interaction_requested: reading(fields.interaction_requested, ({ interaction: disk, call_id: callId }) => {
      const interaction = decodeInteraction(disk)
      return interaction && { type: 'interaction_requested', interaction, ...omitUndefined({ callId }) }
    }),
    interaction_responded: reading(fields.interaction_responded, ({ response: disk, call_id: callId }) => {
      const response = decodeResponse(disk)
      return response && { type: 'interaction_responded', response, ...omitUndefined({ callId }) }
    }),
    state: reading(fields.state, (disk) => ({ type: 'state', ...disk })),
    retry: reading(fields.retry, ({ attempt, reason, wait_ms: waitMs, discarded, ...rest }) => {
      const more = omitUndefined({ requestId: rest.request_id, status: rest.status })
      return { type: 'retry', attempt, reason, waitMs, discarded, ...more }
    }),
    fallback: reading(fields.fallback, (disk) => ({ type: 'fallback', ...disk })),
    compaction: reading(fields.compaction, ({ trigger, summary, by, ...rest }) => {
      const { tokens_before: tokensBefore, tokens_after: tokensAfter } = rest
      return { type: 'compaction', trigger, summary, tokensBefore, tokensAfter, ...omitUndefined({ by }) }
    }),
    compaction_failed: reading(fields.compaction_failed, (disk) => ({ type: 'compaction_failed', ...disk })),
    notice: reading(fields.notice, (disk) => ({ type: 'notice', ...disk })),
    unsaved: reading(fields.unsaved, (disk) => ({ type: 'unsaved', ...disk })),
    saved: reading(fields.saved, () => ({ type: 'saved' })),
    rules_saved: reading(fields.rules_saved, (disk) => ({ type: 'rules_saved', ...disk })),
    checkpoint: reading(fields.checkpoint, (disk) => ({ type: 'checkpoint', ...disk })),
    elf_start: reading(fields.elf_start, ({ call_id: callId, elf_id: elfId, ...rest }) => {
      if (!isAgentId(elfId)) return undefined
      const { name, agent, model, prompt, session_id: id, background: isBackground } = rest
      const sessionId = id !== undefined && isSessionId(id) ? id : undefined
      const started = { callId, elfId, name, agent, model, prompt }
      return { type: 'elf_start', ...started, ...omitUndefined({ sessionId, isBackground }) }
    }),
    elf_end: reading(fields.elf_end, ({ elf_id: elfId, name, stop_reason: stopReason, rounds, ...rest }) => {
      if (!isAgentId(elfId)) return undefined
      const { cost_usd: costUsd, reason, session_id: id, audit_head: auditHead } = rest
      const sessionId = id !== undefined && isSessionId(id) ? id : undefined
      const ended = { elfId, name, stopReason, rounds, usage: decodeUsage(rest.usage) }
      return { type: 'elf_end', ...ended, ...omitUndefined({ costUsd, reason, sessionId, auditHead }) }
    }),
  } satisfies Readonly<Record<AgentEvent['type'], Reading>>),
)
