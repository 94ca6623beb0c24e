import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { count, objects } from '../text/json-fields.ts'
import type { StopReason, Usage } from '../usage.ts'

/** Finds our candidate: the first, by its number if a server sends several. */
export function firstCandidate(chunk: JsonObject): JsonObject | undefined {
  return objects(chunk['candidates']).find(({ index }) => (count(index) ?? 0) === 0)
}

/**
 * Converts usage. Adds thoughts, which candidate tokens exclude, and results of server-side tools, which prompt tokens exclude.
 */
export function toUsage(raw: JsonObject): Usage {
  const reasoningTokens = count(raw['thoughtsTokenCount'])
  return {
    inputTokens: (count(raw['promptTokenCount']) ?? 0) + (count(raw['toolUsePromptTokenCount']) ?? 0),
    outputTokens: (count(raw['candidatesTokenCount']) ?? 0) + (reasoningTokens ?? 0),
    ...omitUndefined({ cacheReadTokens: count(raw['cachedContentTokenCount']), reasoningTokens }),
    raw,
  }
}

/** The server's stop reasons. There is none for tool calls. */
export const stopWords: ReadonlyMap<string, StopReason> = new Map([
  ['STOP', 'end_turn'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'refusal'],
  ['RECITATION', 'refusal'],
  ['LANGUAGE', 'refusal'],
  ['BLOCKLIST', 'refusal'],
  ['PROHIBITED_CONTENT', 'refusal'],
  ['SPII', 'refusal'],
  ['MODEL_ARMOR', 'refusal'],
  ['IMAGE_SAFETY', 'refusal'],
  ['IMAGE_PROHIBITED_CONTENT', 'refusal'],
  ['IMAGE_RECITATION', 'refusal'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
  ['TOO_MANY_TOOL_CALLS', 'error'],
  ['MISSING_THOUGHT_SIGNATURE', 'error'],
  ['MALFORMED_RESPONSE', 'error'],
])
