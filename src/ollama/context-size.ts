import type { OllamaMessage } from './messages.ts'

const minContext = 8_192
/** Largest context requested, unless the settings know a larger window. */
export const maxContext = 32_768
/** Tokens reserved for a reply without a limit. */
const reply = 4_096
/** Tokens of an image of any size. */
const image = 1_024
/** Lower than for most text, so that the estimate tends to be too large. */
const bytesPerToken = 3

/**
 * Estimates the tokens that a request and its reply need, since the server's default of 4,096 would silently cut the prompt, and the
 * model's whole window may exceed the machine's memory. Rounds up to a power of two, because each change reloads the model.
 */
export function contextSize(
  messages: readonly OllamaMessage[],
  tools: readonly object[],
  limits: { readonly maxTokens?: number | undefined; readonly contextWindow?: number | undefined },
): number {
  const { maxTokens = reply, contextWindow = maxContext } = limits
  const images = messages.flatMap((message) => message.images ?? []).length
  const text = JSON.stringify([tools, messages.map(({ images: _, ...rest }) => rest)])
  const needed = Buffer.byteLength(text) / bytesPerToken + images * image + maxTokens
  return Math.min(contextWindow, 2 ** Math.ceil(Math.log2(Math.max(minContext, needed))))
}
