import { count } from '../http/dialect/json-fields.ts'
import type { JsonObject } from '../json-value.ts'
import type { StopReason, Usage } from '../usage.ts'

/** The numbers of the last line. What of the prompt was still in memory is not counted again, and then may be missing. */
export function toUsage(line: JsonObject): Usage {
  const raw = Object.fromEntries(Object.entries(line).filter(([key]) => /_(count|duration)$/.test(key)))
  return {
    inputTokens: count(raw['prompt_eval_count']) ?? 0,
    outputTokens: count(raw['eval_count']) ?? 0,
    raw,
  }
}

/** Their words for why they stop: old servers have none for a normal stop. */
export const stopWords: ReadonlyMap<string, StopReason> = new Map([
  ['', 'end_turn'],
  ['stop', 'end_turn'],
  ['load', 'end_turn'],
  ['unload', 'end_turn'],
  ['length', 'length'],
])
