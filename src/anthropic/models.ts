/** What a model's name says of how it wants to be asked. */
export interface ModelTraits {
  /** The limit on a reply where none is given; the dialect demands one. */
  readonly maxTokens: number
  /** How its thinking is set: with a number of tokens, or with a level of effort. */
  readonly thinking: 'budget' | 'effort'
}

/**
 * Claude 4 and later can write 32,000 tokens and more, those before 8,192. From 4.7 on models refuse a budget for thinking. What
 * does not say its version is treated as the oldest.
 */
export function modelTraits(model: string): ModelTraits {
  const [, major = '0', minor = '0'] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(model) ?? []
  const version = Number(major) * 100 + Number(minor)
  return {
    maxTokens: version >= 400 ? 32_000 : 8_192,
    thinking: version >= 407 ? 'effort' : 'budget',
  }
}
