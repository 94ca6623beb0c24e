import { wholePrompt } from '../../http/dialect/whole-prompt.ts'
import type { JsonObject } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Usage } from '../../usage.ts'
import { count, object, objects, text } from '../../wire/json-fields.ts'

/** Finds our choice: the first, by its number if a server sends several. */
export function firstChoice(chunk: JsonObject): JsonObject | undefined {
  return objects(chunk['choices']).find(({ index }) => (count(index) ?? 0) === 0)
}

/** Finds the usage: next to the choices, inside one (Moonshot), or under another name (Groq). */
export function usageOf(chunk: JsonObject, choice: JsonObject | undefined): JsonObject | undefined {
  return object(chunk['usage']) ?? object(object(chunk['x_groq'])?.['usage']) ?? object(choice?.['usage'])
}

/**
 * Converts the usage of any server. Completion tokens include reasoning, unless the total shows that it was added on top (xAI).
 * Cache reads have five names, cache writes three. Some gateways pass on Anthropic's own fields.
 */
export function toUsage(raw: JsonObject): Usage {
  const prompt = count(raw['prompt_tokens']) ?? count(raw['input_tokens']) ?? 0
  const completion = count(raw['completion_tokens']) ?? count(raw['output_tokens']) ?? 0
  const total = count(raw['total_tokens'])
  const reasoning = count(object(raw['completion_tokens_details'])?.['reasoning_tokens'])
  const apart = reasoning !== undefined && total === prompt + completion + reasoning
  const output = apart ? completion + reasoning : completion
  const { read, write } = cacheOf(raw)
  return {
    inputTokens: wholePrompt({ prompt, cached: (read ?? 0) + (write ?? 0), output, total }),
    outputTokens: output,
    ...omitUndefined({ cacheReadTokens: read, cacheWriteTokens: write, reasoningTokens: reasoning }),
    raw,
  }
}

function cacheOf(raw: JsonObject): { readonly read: number | undefined; readonly write: number | undefined } {
  const prompt = object(raw['prompt_tokens_details'])
  return {
    read:
      count(prompt?.['cached_tokens']) ??
      count(raw['prompt_cache_hit_tokens']) ??
      count(raw['num_cached_tokens']) ??
      count(raw['cached_tokens']) ??
      count(raw['cache_read_input_tokens']),
    write:
      count(prompt?.['cache_write_tokens']) ??
      count(prompt?.['cache_creation_tokens']) ??
      count(raw['cache_creation_input_tokens']),
  }
}

/** Finds a server's failure during a reply: next to the choices (Groq), or in one (OpenRouter). */
export function streamFailure(chunk: JsonObject, choice: JsonObject | undefined): JsonObject | undefined {
  const error = choice?.['error'] ?? object(chunk['x_groq'])?.['error']
  return object(error) ?? (text(error) === '' ? undefined : { message: text(error) })
}
