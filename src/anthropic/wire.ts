import { count, object } from '../http/dialect/json-fields.ts'
import type { JsonObject } from '../json-value.ts'
import { present } from '../present.ts'
import type { StopReason, Usage } from '../usage.ts'

/** What a later event says of the usage over what the earlier ones said: each number's last word stands, `null` is none. */
export function mergeUsage(before: JsonObject, update: JsonObject): JsonObject {
  return { ...before, ...Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null)) }
}

/** Their input tokens leave out what was read from the cache or written to it; ours are the whole prompt. */
export function toUsage(raw: JsonObject): Usage {
  const cacheReadTokens = count(raw['cache_read_input_tokens'])
  const cacheWriteTokens = count(raw['cache_creation_input_tokens'])
  return {
    inputTokens: (count(raw['input_tokens']) ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: count(raw['output_tokens']) ?? 0,
    ...present({
      cacheReadTokens,
      cacheWriteTokens,
      reasoningTokens: count(object(raw['output_tokens_details'])?.['thinking_tokens']),
    }),
    raw,
  }
}

/** Their words for why they stop: the tools of `tool_use` may be those that the server ran itself. */
export const stopWords: ReadonlyMap<string, StopReason> = new Map([
  ['end_turn', 'end_turn'],
  ['stop_sequence', 'end_turn'],
  ['tool_use', 'end_turn'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
])
