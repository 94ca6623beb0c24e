import type { ErrorCode, PipeError } from '../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { StopReason, Usage } from '../usage.ts'
import { type ClaudeToolWords, claudeStop, claudeUsage } from './claude-words.ts'

/** A turn that has ended. */
export interface EndedTurn {
  readonly usage: Usage
  readonly rounds: number
  readonly stopReason: StopReason
}

/** Tells a good answer from an error. */
export interface TurnOutcome {
  readonly exitCode: number
  readonly error?: PipeError
}

/** The kinds of results that are no success. Every other error is `error_during_execution`. */
const subtypes: Readonly<Partial<Record<ErrorCode, string>>> = {
  turn_limit: 'error_max_turns',
  budget: 'error_max_budget_usd',
  schema: 'error_max_structured_output_retries',
}

const reasons: Readonly<Partial<Record<ErrorCode, string>>> = {
  turn_limit: 'max_turns',
  budget: 'budget_exhausted',
  schema: 'structured_output_retry_exhausted',
  aborted: 'aborted_streaming',
}

interface ResultParts {
  /** Our own result, which has the texts. */
  readonly json: JsonObject
  readonly words: ClaudeToolWords
  /** How long the models of the turn took, in milliseconds. */
  readonly replyMs: number
}

/** Writes the end of a turn. */
export function resultLine(
  { usage, rounds, stopReason }: EndedTurn,
  { error }: TurnOutcome,
  { json, words, replyMs }: ResultParts,
): JsonObject {
  const common = {
    duration_ms: json['duration_ms'] ?? 0,
    duration_api_ms: replyMs,
    is_error: error !== undefined,
    num_turns: rounds,
    stop_reason: claudeStop(stopReason),
    usage: claudeUsage(usage),
    permission_denials: denialsOf(json['permission_denials'], words),
    terminal_reason: error === undefined ? 'completed' : (reasons[error.code] ?? 'model_error'),
  }
  if (error !== undefined) {
    const subtype = subtypes[error.code] ?? 'error_during_execution'
    return { type: 'result', subtype, ...common, errors: [error.message] }
  }
  const structured = omitUndefined({ structured_output: json['structured_output'] })
  return { type: 'result', subtype: 'success', ...common, result: json['result'] ?? '', ...structured }
}

function denialsOf(denials: JsonValue | undefined, words: ClaudeToolWords): readonly JsonObject[] {
  if (!Array.isArray(denials)) return []
  return denials.filter(isJsonObject).map(({ call_id, name, arguments: args }) => {
    const call = words.call(String(name), args ?? {})
    return { tool_name: call.name, tool_use_id: call_id ?? '', tool_input: call.input }
  })
}
