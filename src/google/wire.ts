import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Usage } from '../usage.ts'
import { count, objects } from '../wire/json-fields.ts'

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
