import type { OllamaMessage } from './messages.ts'

const least = 8_192
/** Largest context requested, unless the settings know a larger window. */
export const largestContext = 32_768
/** Tokens reserved for a reply without a limit. */
const reply = 4_096
/** Tokens of an image of any size. */
const image = 1_024
/** Lower than for most text, so that the estimate tends to be too large. */
const bytesPerToken = 3

/**
 * Returns the context size in tokens for a request. The server's default of 4,096 would silently cut a coding agent's prompt,
 * and a whole window may exceed the machine's memory. So it is the estimated need of request and reply, as a power of two
 * because each change reloads the model: at least 8,192, at most the model's window, or 32,768 if that is unknown.
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
