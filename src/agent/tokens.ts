import { unreachable } from '../error.ts'
import type { ContentBlock, Message } from '../message.ts'
import type { Tool } from '../tool.ts'
import { contextOf } from './context.ts'
import { isMark } from './mark.ts'

/** Of text, on average over languages and code. */
export const bytesPerToken = 4
/** What servers count at most of an image of the size that we send. */
const imageTokens = 1_600
/** Documents hold pictures and compressed text: between what pages of text and what scanned pages come to. */
const base64PerToken = 50

/** Tokens of a text, estimated. */
export function estimateText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** Tokens of blocks, estimated. */
export function estimateContent(content: readonly ContentBlock[]): number {
  return content.reduce((sum, block) => sum + estimateBlock(block), 0)
}

/** Tokens of messages, estimated. */
export function estimateMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + estimateContent(content), 0)
}

/** Tokens of what every request of a conversation carries beside its messages, estimated. */
export function estimateFixed(systemPrompt: string, tools: readonly Tool[]): number {
  return tools.reduce(
    (sum, { name, description, parameters }) =>
      sum + estimateText(name) + estimateText(description) + estimateText(JSON.stringify(parameters)),
    estimateText(systemPrompt),
  )
}

/**
 * Tokens that the next request of a history will hold: what the server counted for the last whole reply, and an estimate of what
 * came after it, times `scale`. `undefined` where there was none since the history was compacted.
 */
export function measuredTokens(history: readonly Message[], scale: number): number | undefined {
  const at = history.findLastIndex((message) => isMark(message) || counted(message) !== undefined)
  const last = history[at]
  const tokens = last && counted(last)
  return tokens === undefined ? undefined : tokens + scaled(estimateMessages(history.slice(at + 1)), scale)
}

/** Largest correction of an estimate. */
export const largestScale = 4
/** Smallest correction of an estimate. Some servers count only uncached tokens. */
const smallestScale = 0.75
/** Shorter prompts, in tokens, are too small to correct estimates by. */
const tellingPrompt = 500

/**
 * Returns the correction factor for estimates: the server's count of the last whole reply's prompt divided by its estimate. `fixed` is the
 * estimate of everything sent besides the messages.
 */
export function estimateScale(history: readonly Message[], fixed: number): number {
  const at = history.findLastIndex((message) => counted(message) !== undefined)
  const last = history[at]
  const prompt = last?.type === 'assistant' ? last.usage.inputTokens : 0
  if (prompt < tellingPrompt) return 1
  const estimate = fixed + estimateMessages(contextOf(history.slice(0, at)))
  return Math.min(largestScale, Math.max(smallestScale, prompt / Math.max(1, estimate)))
}

export function scaled(tokens: number, scale: number): number {
  return Math.ceil(tokens * scale)
}

function counted(message: Message): number | undefined {
  if (message.type !== 'assistant' || message.usage.inputTokens === 0) return undefined
  if (message.stopReason === 'aborted' || message.stopReason === 'error') return undefined
  return message.usage.inputTokens + message.usage.outputTokens
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
