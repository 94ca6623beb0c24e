import type { JsonObject } from '../json-value.ts'
import type { Usage } from '../usage.ts'

/** Writes a reply of which no piece has come, as the Messages API does. */
export function emptyReply(
  { id, model }: { readonly id: string; readonly model: string },
  usage: JsonObject,
): JsonObject {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
}

/** Writes token counts as that API does, whose input leaves out what the cache holds. */
export function replyTokens({
  inputTokens,
  outputTokens,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
}: Usage): JsonObject {
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    output_tokens: outputTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
  }
}
