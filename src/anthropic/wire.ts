import { laterUsage } from '../http/dialect/later-usage.ts'
import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Usage } from '../usage.ts'
import { count, object } from '../wire/json-fields.ts'

/**
 * Updates the usage with a later event's. The last value of each number counts; `null` does not. Neither does a prompt of 0 tokens after
 * a real one, nor all zeros, which some gateways send at the end.
 */
export function mergeUsage(before: JsonObject, update: JsonObject): JsonObject {
  if (laterUsage(before, update) === before) return before
  const isLost = promptOf(update) === 0 && promptOf(before) > 0
  const counts = Object.entries(update).filter(
    ([name, value]) => value !== null && !(isLost && promptCounts.includes(name)),
  )
  return { ...before, ...Object.fromEntries(counts) }
}

const promptCounts = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']

function promptOf(usage: JsonObject): number {
  return promptCounts.reduce((sum, name) => sum + (count(usage[name]) ?? 0), 0)
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
