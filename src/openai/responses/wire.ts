import { count, object, text } from '../../http/dialect/json-fields.ts'
import type { JsonObject } from '../../json-value.ts'
import { present } from '../../present.ts'
import type { StopReason, Usage } from '../../usage.ts'

/** What an event says of why the reply is over, in the server's own word; `undefined` where it is not over. */
export function stopWord(type: string, response: JsonObject): string | undefined {
  const [, ending] = /^response\.(completed|incomplete|failed|cancelled)$/.exec(type) ?? []
  if (ending === undefined) return undefined
  return text(object(response['incomplete_details'])?.['reason']) || text(response['status']) || ending
}

/** Their words for why they stop. */
export const stopWords: ReadonlyMap<string, StopReason> = new Map([
  ['completed', 'end_turn'],
  ['max_output_tokens', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'refusal'],
  ['failed', 'error'],
  ['cancelled', 'error'],
])

/** Their input tokens hold the cached ones and their output tokens the reasoning, as ours do. */
export function toUsage(raw: JsonObject): Usage {
  const input = object(raw['input_tokens_details'])
  return {
    inputTokens: count(raw['input_tokens']) ?? 0,
    outputTokens: count(raw['output_tokens']) ?? 0,
    ...present({
      cacheReadTokens: count(input?.['cached_tokens']),
      cacheWriteTokens: count(input?.['cache_write_tokens']),
      reasoningTokens: count(object(raw['output_tokens_details'])?.['reasoning_tokens']),
    }),
    raw,
  }
}
