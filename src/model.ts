import type { ThinkingLevel } from './provider.ts'
import type { Usage } from './usage.ts'

/** What is known of a model. What is absent is not known, and safe defaults hold. */
export interface ModelInfo {
  /** The provider whose server has it. */
  readonly provider: string
  readonly id: string
  /** Tokens that a request and its reply may hold together. */
  readonly contextWindow?: number
  /** Tokens that a reply may hold. */
  readonly maxOutput?: number
  readonly price?: Price
  /** Whether it sees images. */
  readonly images?: boolean
  /** Whether it reads PDF documents. */
  readonly documents?: boolean
  /** Whether it calls tools. */
  readonly tools?: boolean
  readonly thinking?: Thinking
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Default: the price of input. */
  readonly cacheRead?: number
  /** Default: the price of input. */
  readonly cacheWrite?: number
  /** What holds for a whole request whose prompt is longer than `above` tokens. */
  readonly long?: Omit<Price, 'long'> & { readonly above: number }
}

/** How a model's thinking is set. `fixed` thinks as it likes, `none` never does. */
export type Thinking =
  | { readonly type: 'none' }
  | { readonly type: 'fixed' }
  /** The levels that its server has a word for; `off` where it can be told not to think. */
  | { readonly type: 'effort'; readonly levels: readonly ThinkingLevel[] }
  /** A number of tokens. `optional` where it can be told not to think. */
  | { readonly type: 'budget'; readonly min: number; readonly max: number; readonly optional: boolean }

export interface ModelCatalog {
  find(provider: string, id: string): ModelInfo | undefined
  list(): readonly ModelInfo[]
}

/** What a usage costs, in US dollars. Cached tokens are parts of the input and have prices of their own. */
export function costOf(usage: Usage, price: Price): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const { long } = price
  const {
    input,
    output,
    cacheRead = input,
    cacheWrite = input,
  } = long !== undefined && inputTokens > long.above ? long : price
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens)
  const millionths =
    fresh * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output
  return millionths / 1_000_000
}

/** Rounds US dollars to the millionth for printing and storing, which removes floating-point noise. */
export function roundUsd(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000
}

/** Tokens. */
const budgets: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_000,
}

/** The tokens that a level of thinking stands for, within what a model allows. */
export function thinkingBudget(
  level: ThinkingLevel,
  { min = 0, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number } = {},
): number {
  return Math.min(Math.max(budgets[level], min), max)
}

/** From none to the deepest. */
export const thinkingLevels: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh']

/** Of the levels that there are the nearest to the one that is wanted, the lower of two; `undefined` where there are none. */
export function nearestLevel(
  wanted: ThinkingLevel,
  levels: readonly ThinkingLevel[],
): ThinkingLevel | undefined {
  const distance = (level: ThinkingLevel) =>
    Math.abs(thinkingLevels.indexOf(level) - thinkingLevels.indexOf(wanted))
  return thinkingLevels
    .filter((level) => levels.includes(level))
    .reduce<ThinkingLevel | undefined>(
      (best, level) => (best === undefined || distance(level) < distance(best) ? level : best),
      undefined,
    )
}
