import { wholePrompt } from '../../http/dialect/whole-prompt.ts'
import type { JsonObject } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Usage } from '../../usage.ts'
import { count, object, text } from '../../wire/json-fields.ts'

/** Reads the server's own stop reason from an event; `undefined` if the reply is not over. */
export function stopWord(type: string, response: JsonObject): string | undefined {
  // Some servers end with `done`, whatever the response's status.
  const [, ending] = /^response\.(completed|incomplete|failed|cancelled|done)$/.exec(type) ?? []
  if (ending === undefined) return undefined
  return text(object(response['incomplete_details'])?.['reason']) || text(response['status']) || ending
}

/** Converts usage. Input tokens include cached ones, except with some gateways. Output tokens include reasoning, as ours do. */
export function toUsage(raw: JsonObject): Usage {
  const input = object(raw['input_tokens_details'])
  const prompt = count(raw['input_tokens']) ?? 0
  const output = count(raw['output_tokens']) ?? 0
  const read = count(input?.['cached_tokens'])
  const write = count(input?.['cache_write_tokens'])
  const cached = (read ?? 0) + (write ?? 0)
  return {
    inputTokens: wholePrompt({ prompt, cached, output, total: count(raw['total_tokens']) }),
    outputTokens: output,
    ...omitUndefined({
      cacheReadTokens: read,
      cacheWriteTokens: write,
      reasoningTokens: count(object(raw['output_tokens_details'])?.['reasoning_tokens']),
    }),
    raw,
  }
}
