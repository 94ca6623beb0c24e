import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { count, object } from '../text/json-fields.ts'
import type { Usage } from '../usage.ts'

/** Updates the usage with a later event's. The last value of each number counts; `null` does not. */
export function mergeUsage(before: JsonObject, update: JsonObject): JsonObject {
  return { ...before, ...Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null)) }
}

/** Converts usage. The server's input tokens exclude cache reads and writes; ours are the whole prompt. */
export function toUsage(raw: JsonObject): Usage {
  const cacheReadTokens = count(raw['cache_read_input_tokens'])
  const cacheWriteTokens = count(raw['cache_creation_input_tokens'])
  return {
    inputTokens: (count(raw['input_tokens']) ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: count(raw['output_tokens']) ?? 0,
    ...omitUndefined({
      cacheReadTokens,
      cacheWriteTokens,
      reasoningTokens: count(object(raw['output_tokens_details'])?.['thinking_tokens']),
    }),
    raw,
  }
}
