import type { OllamaMessage } from './messages.ts'

const least = 8_192
/** Largest context requested, unless the settings know a larger window. */
export const largestContext = 32_768
/** Tokens that are kept free for a reply without a limit. */
const reply = 4_096
/** Tokens of an image, whatever its size. */
const image = 1_024
/** Fewer than most text has, so that the estimate is rather too large. */
const bytesPerToken = 3

/**
 * The tokens that a request wants the model's memory to hold. The server's own default of 4,096 cuts a coding agent's prompt off
 * without a word, and a whole window can be more than the machine has memory for. So it is what the request and its reply are
 * estimated to need, as a power of two, because each change loads the model anew: at least 8,192 and at most the model's window,
 * or 32,768 where that is not known.
 */
export function contextSize(
  messages: readonly OllamaMessage[],
  tools: readonly object[],
  limits: { readonly maxTokens?: number; readonly contextWindow?: number },
): number {
  const { maxTokens = reply, contextWindow = largestContext } = limits
  const images = messages.flatMap((message) => message.images ?? []).length
  const text = JSON.stringify([tools, messages.map(({ images: _, ...rest }) => rest)])
  const needed = Buffer.byteLength(text) / bytesPerToken + images * image + maxTokens
  return Math.min(contextWindow, 2 ** Math.ceil(Math.log2(Math.max(least, needed))))
}
