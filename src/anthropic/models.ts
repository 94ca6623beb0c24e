import { type ModelInfo, type Thinking, thinkingLevels } from '../model.ts'

/** Request parameters of a model. */
export interface ModelTraits {
  /** Default token limit of a reply, as the dialect requires one. */
  readonly maxTokens: number
  /** The model's own token limit of a reply, if known. */
  readonly maxOutput?: number
  readonly thinking: Thinking
}

/** Tokens, more than an agent's reply needs. Leaves the rest of the window to the prompt. */
const enoughTokens = 32_000

/**
 * Uses the known facts of a model and derives the rest from its name. Claude 4 and later can write at least 32,000 tokens,
 * earlier models 8,192. From 4.7 on, models refuse a thinking budget. A name without a version counts as the oldest.
 */
export function modelTraits(model: string, info?: ModelInfo): ModelTraits {
  const [, major = '0', minor = '0'] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(model) ?? []
  const version = Number(major) * 100 + Number(minor)
  const thinking = info?.thinking ?? (version >= 407 ? effort : budget)
  const maxOutput = info?.maxOutput
  return maxOutput === undefined
    ? { maxTokens: version >= 400 ? enoughTokens : 8_192, thinking }
    : { maxTokens: Math.min(maxOutput, enoughTokens), maxOutput, thinking }
}

/** Whether a model signs its thoughts and refuses one without its signature. Others never sign, and some want each thought back. */
export function signsThoughts(model: string): boolean {
  return /claude/i.test(model)
}

const effort: Thinking = { type: 'effort', levels: thinkingLevels }
const budget: Thinking = { type: 'budget', min: 1024, max: enoughTokens, optional: true }
