import type { JsonObject } from '../json-value.ts'
import type { Usage } from '../usage.ts'
import { count } from '../wire/json-fields.ts'

/** Reads the token counts of the last line. The prompt's may be missing, or exclude the part that was still in memory. */
export function toUsage(line: JsonObject): Usage {
  const raw = Object.fromEntries(Object.entries(line).filter(([key]) => /_(count|duration)$/.test(key)))
  return {
    inputTokens: count(raw['prompt_eval_count']) ?? 0,
    outputTokens: count(raw['eval_count']) ?? 0,
    raw,
  }
}
