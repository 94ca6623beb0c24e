import { isMark, type Message } from '../message.ts'
import { totalTokens } from '../usage.ts'

/** Returns the context tokens at the model's last answer; `undefined` if unknown, or if the history was compacted since. */
export function contextTokensOf(messages: readonly Message[]): number | undefined {
  const last = messages.findLast((message) => message.type === 'assistant' || isMark(message))
  return last?.type === 'assistant' ? totalTokens(last.usage) || undefined : undefined
}

/** Kinds of content in a request, in the order in which reports list them. */
export const contextKinds = [
  'system_prompt',
  'tools',
  'environment',
  'memories',
  'summary',
  'user',
  'reply',
  'thinking',
  'tool_calls',
  'tool_results',
  'media',
] as const

export type ContextKind = (typeof contextKinds)[number]

/** Sizes the next request of a conversation by kind. Sizes are in tokens. */
export interface ContextUse {
  /** `provider/model` that is asked next. */
  readonly model: string
  readonly tokens: number
  /** Whether the server counted `tokens`. Otherwise they are estimated. */
  readonly isCounted: boolean
  /** The kinds that are there. Estimates that add up to `tokens`. */
  readonly parts: readonly ContextPart[]
  /** The model's context window. Absent if unknown. */
  readonly window?: number
  /** Largest request that leaves enough of the window for the reply. Absent if the window is unknown. */
  readonly limit?: number
  /** Whether a request above the limit is compacted. */
  readonly autoCompact: boolean
}

export interface ContextPart {
  readonly kind: ContextKind
  readonly tokens: number
  /** Number of tools or memories. Of `tools` and `memories` only. */
  readonly count?: number
  /** The three tools with the largest results. Of `tool_results` only. */
  readonly largest?: readonly ToolShare[]
}

export interface ToolShare {
  readonly name: string
  readonly tokens: number
}
