import type { JsonObject } from '../json-value.ts'
import { count } from '../text/json-fields.ts'
import type { StopReason, Usage } from '../usage.ts'

/** Reads the token counts of the last line. The prompt's may be missing, or exclude the part that was still in memory. */
export function toUsage(line: JsonObject): Usage {
  const raw = Object.fromEntries(Object.entries(line).filter(([key]) => /_(count|duration)$/.test(key)))
  return {
    inputTokens: count(raw['prompt_eval_count']) ?? 0,
    outputTokens: count(raw['eval_count']) ?? 0,
    raw,
  }
}

/** The server's stop reasons. Old servers send none for a normal stop. */
export const stopWords: ReadonlyMap<string, StopReason> = new Map([
  ['', 'end_turn'],
  ['stop', 'end_turn'],
  ['load', 'end_turn'],
  ['unload', 'end_turn'],
  ['length', 'length'],
])
