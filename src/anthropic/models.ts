import { type ModelInfo, type Thinking, thinkingLevels } from '../model.ts'

/** How a model wants to be asked. */
export interface ModelTraits {
  /** The limit on a reply where none is given; the dialect demands one. */
  readonly maxTokens: number
  /** The tokens that a reply may hold at all, where that is known. */
  readonly maxOutput?: number
  readonly thinking: Thinking
}

/** More than an agent's reply needs; the rest of the window is the prompt's. */
const enough = 32_000

/**
 * What is known of a model stands, and its name says the rest. Claude 4 and later can write 32,000 tokens and more, those before
 * 8,192. From 4.7 on models refuse a budget for thinking. What does not say its version is treated as the oldest.
 */
export function modelTraits(model: string, info?: ModelInfo): ModelTraits {
  const [, major = '0', minor = '0'] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(model) ?? []
  const version = Number(major) * 100 + Number(minor)
  const thinking = info?.thinking ?? (version >= 407 ? effort : budget)
  const maxOutput = info?.maxOutput
  return maxOutput === undefined
    ? { maxTokens: version >= 400 ? enough : 8_192, thinking }
    : { maxTokens: Math.min(maxOutput, enough), maxOutput, thinking }
}

const effort: Thinking = { type: 'effort', levels: thinkingLevels }
const budget: Thinking = { type: 'budget', min: 1024, max: enough, optional: true }
