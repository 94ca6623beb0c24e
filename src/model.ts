import { PipeError } from './error.ts'
import type { ThinkingLevel } from './provider.ts'
import type { Usage } from './usage.ts'

/** Known facts about a model. Safe defaults replace absent ones. */
export interface ModelInfo {
  /** The provider that serves it. */
  readonly provider: string
  readonly id: string
  /** Maximum tokens of a request and its reply together. */
  readonly contextWindow?: number
  /** Maximum tokens of a reply. */
  readonly maxOutput?: number
  readonly price?: Price
  /** Whether it accepts images. */
  readonly images?: boolean
  /** Whether it accepts PDF documents. */
  readonly documents?: boolean
  /** Whether it supports tool calls. */
  readonly tools?: boolean
  readonly thinking?: Thinking
}

/** US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Default: the price of input. */
  readonly cacheRead?: number
  /** Default: the price of input. */
  readonly cacheWrite?: number
  /** Price of a whole request if its prompt is longer than `above` tokens. */
  readonly long?: Omit<Price, 'long'> & { readonly above: number }
}

/** Control of a model's thinking. `fixed` cannot be set, `none` never thinks. */
export type Thinking =
  | { readonly type: 'none' }
  | { readonly type: 'fixed' }
  /** Levels that the server supports. Includes `off` if thinking can be disabled. */
  | { readonly type: 'effort'; readonly levels: readonly ThinkingLevel[] }
  /** A token budget. `optional` if thinking can be disabled. */
  | { readonly type: 'budget'; readonly min: number; readonly max: number; readonly optional: boolean }

export interface ModelCatalog {
  find(provider: string, id: string): ModelInfo | undefined
  list(): readonly ModelInfo[]
}

/** Computes the cost of a usage in US dollars. Cached tokens are parts of the input with their own prices. */
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

/** Default thinking budgets in tokens. */
const budgets: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_000,
}

/** Returns the tokens of a thinking level, within the model's limits. */
export function thinkingBudget(
  level: ThinkingLevel,
  { min = 0, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number } = {},
): number {
  return Math.min(Math.max(budgets[level], min), max)
}

/** Thinking levels in ascending order. */
export const thinkingLevels: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh']

/** Splits `NAME[:level]`. What follows the last colon belongs to the name if it is no level. */
export function splitLevel(text: string): {
  readonly name: string
  readonly level: ThinkingLevel | undefined
} {
  const colon = text.lastIndexOf(':')
  const level = colon > 0 ? thinkingLevels.find((one) => one === text.slice(colon + 1)) : undefined
  return { name: level === undefined ? text : text.slice(0, colon), level }
}

/** Returns the level that a word names, one of these. Throws `usage`. */
export function requireLevel(word: string, levels: readonly ThinkingLevel[] = thinkingLevels): ThinkingLevel {
  const level = levels.find((one) => one === word)
  if (level !== undefined) return level
  const choice = levels.length === 0 ? 'this model has none' : `choose ${levels.join(', ')}`
  throw new PipeError('usage', `there is no thinking level ${word} here: ${choice}`)
}

/** Returns the levels that a model takes: none if its thinking cannot be set; `undefined` if that is not known. */
export function levelsOf(
  info: Pick<ModelInfo, 'thinking'> | undefined,
): readonly ThinkingLevel[] | undefined {
  const thinking = info?.thinking
  switch (thinking?.type) {
    case undefined:
      return undefined
    case 'effort':
      return thinking.levels
    case 'budget':
      return thinking.optional ? thinkingLevels : thinkingLevels.filter((level) => level !== 'off')
    default:
      return []
  }
}

/** Returns the available level nearest to `wanted`, the lower of two equally near; `undefined` if there are none. */
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

/** Returns one number by which to compare what models cost. */
export function overallPrice({ input, output }: Price): number {
  return input + output
}

/** Returns the most thinking that a number of tokens allows. */
export function levelOfTokens(tokens: number): ThinkingLevel {
  if (tokens <= 0) return 'off'
  const within = (level: ThinkingLevel) => level !== 'off' && thinkingBudget(level) <= tokens
  return thinkingLevels.findLast(within) ?? 'minimal'
}
