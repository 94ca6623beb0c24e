import { type ModelInfo, type Price, type Thinking, thinkingLevels } from '../model.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** The facts about a model in the data file and in settings. Absent fields are unknown. */
export interface ModelRow {
  readonly context_window?: number | undefined
  readonly max_output?: number | undefined
  readonly images?: boolean | undefined
  readonly documents?: boolean | undefined
  readonly tools?: boolean | undefined
  /** A bare word is a type with default values. */
  readonly thinking?: string | ThinkingRow | undefined
  readonly price?: PriceRow | undefined
}

interface ThinkingRow {
  /** `none`, `fixed`, `effort` or `budget`. Any other word is ignored. */
  readonly type: string
  /** Default: low, medium, high. */
  readonly levels?: readonly string[] | undefined
  /** Default: 1,024 tokens. */
  readonly min?: number | undefined
  /** Default: 32,000 tokens. */
  readonly max?: number | undefined
  /** Default: true. */
  readonly optional?: boolean | undefined
}

interface Rates {
  readonly input: number
  readonly output: number
  readonly cache_read?: number | undefined
  readonly cache_write?: number | undefined
}

interface PriceRow extends Rates {
  readonly long?: (Rates & { readonly above: number }) | undefined
}

/** The facts about a model without its name. */
export type ModelFacts = Omit<ModelInfo, 'provider' | 'id'>

export function decodeRow(row: ModelRow): ModelFacts {
  const { context_window, max_output, images, documents, tools, thinking, price } = row
  return omitUndefined({
    contextWindow: context_window,
    maxOutput: max_output,
    images,
    documents,
    tools,
    thinking: thinking === undefined ? undefined : decodeThinking(thinking),
    price: price === undefined ? undefined : decodePrice(price),
  })
}

/** Encodes facts for the data file. */
export function encodeModelRow({
  contextWindow,
  maxOutput,
  images,
  documents,
  tools,
  thinking,
  price,
}: ModelFacts) {
  return omitUndefined({
    context_window: contextWindow,
    max_output: maxOutput,
    images,
    documents,
    tools,
    thinking,
    price: price === undefined ? undefined : encodePrice(price),
  })
}

function decodeThinking(thinking: string | ThinkingRow): Thinking | undefined {
  const row: ThinkingRow = typeof thinking === 'string' ? { type: thinking } : thinking
  const { type, levels = ['low', 'medium', 'high'], min = 1024, max = 32_000, optional = true } = row
  switch (type) {
    case 'none':
      return { type: 'none' }
    case 'fixed':
      return { type: 'fixed' }
    case 'effort':
      return { type: 'effort', levels: thinkingLevels.filter((level) => levels.includes(level)) }
    case 'budget':
      return { type: 'budget', min, max, optional }
    default:
      return undefined
  }
}

function decodePrice({ long, ...rates }: PriceRow): Price {
  return {
    ...decodeRates(rates),
    ...(long === undefined ? {} : { long: { above: long.above, ...decodeRates(long) } }),
  }
}

function decodeRates({ input, output, cache_read, cache_write }: Rates) {
  return { input, output, ...omitUndefined({ cacheRead: cache_read, cacheWrite: cache_write }) }
}

function encodePrice({ long, ...rates }: Price) {
  return {
    ...encodeRates(rates),
    ...(long === undefined ? {} : { long: { above: long.above, ...encodeRates(long) } }),
  }
}

function encodeRates({ input, output, cacheRead, cacheWrite }: Omit<Price, 'long'>) {
  return { input, output, ...omitUndefined({ cache_read: cacheRead, cache_write: cacheWrite }) }
}
