import { unreachable } from '../../error.ts'
import { type ContentBlock, isMark, type Message } from '../../message.ts'
import type { Tool } from '../../tool.ts'
import { totalTokens } from '../../usage.ts'
import { contextOf } from './context.ts'

/** Average for text in natural languages and code. */
export const bytesPerToken = 4
/** The most that servers count for an image of the size that we send. */
const imageTokens = 1_600
/** Base64 characters per token of a document: between pages of text and scanned pages. */
const base64PerToken = 50

/** Estimates the tokens of a text. */
export function estimateText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** Estimates the tokens of blocks. */
export function estimateContent(content: readonly ContentBlock[]): number {
  return content.reduce((sum, block) => sum + estimateBlock(block), 0)
}

/** Estimates the tokens of messages. */
export function estimateMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + estimateContent(content), 0)
}

/** Estimates the tokens of a request besides its messages. */
export function estimateFixed(systemPrompt: string, tools: readonly Tool[]): number {
  return tools.reduce(
    (sum, { name, description, parameters }) =>
      sum + estimateText(name) + estimateText(description) + estimateText(JSON.stringify(parameters)),
    estimateText(systemPrompt),
  )
}

/**
 * Returns the tokens of a history's next request: the server's count at the last complete reply, plus the scaled estimate of
 * later messages. `undefined` if there was no such reply since the history was compacted.
 */
export function measuredTokens(history: readonly Message[], scale: number): number | undefined {
  const at = history.findLastIndex((message) => isMark(message) || reportedTokens(message) !== undefined)
  const last = history[at]
  const tokens = last && reportedTokens(last)
  return tokens === undefined ? undefined : tokens + scaled(estimateMessages(history.slice(at + 1)), scale)
}

/** Whether the server has counted all of a history. */
export function isCounted(history: readonly Message[]): boolean {
  const last = history.at(-1)
  return last !== undefined && reportedTokens(last) !== undefined
}

/** Largest correction of an estimate. */
export const maxScale = 4
/** Smallest correction of an estimate. Some servers count only uncached tokens. */
const minScale = 0.75
/** Prompts of fewer tokens are too short to correct estimates by. */
const minCorrectingPrompt = 500

/**
 * Returns the correction factor for estimates: the server's count of the last whole reply's prompt divided by its estimate.
 * `fixed` is the estimate of everything sent besides the messages.
 */
export function estimateScale(history: readonly Message[], fixed: number): number {
  const at = history.findLastIndex((message) => reportedTokens(message) !== undefined)
  const last = history[at]
  const prompt = last?.type === 'assistant' ? last.usage.inputTokens : 0
  if (prompt < minCorrectingPrompt) return 1
  const estimate = fixed + estimateMessages(contextOf(history.slice(0, at)))
  return Math.min(maxScale, Math.max(minScale, prompt / Math.max(1, estimate)))
}

export function scaled(tokens: number, scale: number): number {
  return Math.ceil(tokens * scale)
}

function reportedTokens(message: Message): number | undefined {
  if (message.type !== 'assistant' || message.usage.inputTokens === 0) return undefined
  if (message.stopReason === 'aborted' || message.stopReason === 'error') return undefined
  return totalTokens(message.usage)
}

function estimateBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return estimateText(block.text)
    case 'thinking':
      return estimateText(block.thinking)
    case 'tool_call':
      return estimateText(block.name) + estimateText(block.argumentsRaw ?? JSON.stringify(block.arguments))
    case 'image':
      return imageTokens
    case 'document':
      return Math.ceil(block.data.length / base64PerToken)
    default:
      return unreachable(block)
  }
}
