import { unreachable } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { encodeInteraction, encodeResponse } from './interaction-json.ts'
import { encodeBlock, encodeCost, encodeMessage, encodeUsage } from './message-json.ts'

/** Formats an event as a line: `type`, its fields, the extra fields, then the agent and the sequence number. */
export function encodeEvent(event: AgentEvent, told: JsonObject = {}): object {
  return { type: event.type, ...fields(event), ...told, agent_id: event.agentId, seq: event.seq }
}

function fields(event: AgentEvent): object {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
    case 'tool_call_delta':
      return { id: event.id, delta: event.delta }
    case 'tool_call_begin':
      return { id: event.id, name: event.name }
    case 'tool_call_end': {
      const { id, name, arguments: args, argumentsRaw } = event.call
      return { call: { id, name, arguments: args, ...omitUndefined({ arguments_raw: argumentsRaw }) } }
    }
    case 'turn_start':
      return event.message === undefined ? {} : { message: encodeMessage(event.message) }
    case 'message':
      return { message: encodeMessage(event.message) }
    case 'turn_end': {
      const { stopReason, rounds, usage, costUsd } = event
      return { stop_reason: stopReason, rounds, usage: encodeUsage(usage), ...encodeCost(costUsd) }
    }
    case 'round_start':
      return {
        round: event.round,
        provider: event.provider,
        model: event.model,
        ...omitUndefined({ reason: event.reason }),
      }
    case 'round_end':
      return {
        round: event.round,
        stop_reason: event.stopReason,
        ...omitUndefined({ raw_stop_reason: event.rawStopReason }),
        usage: encodeUsage(event.usage),
        ...encodeCost(event.costUsd),
      }
    case 'tool_start':
      return { call_id: event.callId, name: event.name, arguments: event.arguments }
    case 'tool_output':
      return { call_id: event.callId, stream: event.stream, chunk: event.chunk }
    case 'tool_end': {
      const { callId, isError, content, details, durationMs } = event
      return {
        call_id: callId,
        is_error: isError,
        content: content.map((block) => encodeBlock(block)),
        ...omitUndefined({ details }),
        duration_ms: durationMs,
      }
    }
    case 'interaction_requested':
      return {
        interaction: encodeInteraction(event.interaction),
        ...omitUndefined({ call_id: event.callId }),
      }
    case 'interaction_responded':
      return { response: encodeResponse(event.response), ...omitUndefined({ call_id: event.callId }) }
    case 'state':
      return { from: event.from, to: event.to }
    case 'retry':
      return {
        attempt: event.attempt,
        reason: event.reason,
        wait_ms: event.waitMs,
        discarded: event.discarded,
        ...omitUndefined({ request_id: event.requestId, status: event.status }),
      }
    case 'fallback':
      return { from: event.from, to: event.to, reason: event.reason, discarded: event.discarded }
    case 'compaction':
      return {
        trigger: event.trigger,
        summary: event.summary,
        ...omitUndefined({ by: event.by }),
        tokens_before: event.tokensBefore,
        tokens_after: event.tokensAfter,
      }
    case 'notice':
      return { text: event.text }
    case 'compaction_failed':
      return { reason: event.reason }
    case 'unsaved':
      return { part: event.part, reason: event.reason }
    case 'saved':
      return {}
    case 'rules_saved':
      return { rules: event.rules, file: event.file }
    case 'checkpoint':
      return { ...omitUndefined({ id: event.id, unsaved: event.unsaved }), notes: event.notes }
    case 'elf_start': {
      const { callId, elfId, name, agent, model, prompt, sessionId, isBackground } = event
      const more = omitUndefined({ session_id: sessionId, background: isBackground })
      return { call_id: callId, elf_id: elfId, name, agent, model, prompt, ...more }
    }
    case 'elf_end': {
      const { elfId, name, stopReason, rounds, usage, costUsd, reason, sessionId, auditHead } = event
      return {
        elf_id: elfId,
        name,
        stop_reason: stopReason,
        rounds,
        usage: encodeUsage(usage),
        ...encodeCost(costUsd),
        ...omitUndefined({ reason, session_id: sessionId, audit_head: auditHead }),
      }
    }
    default:
      return unreachable(event)
  }
}
