import { unreachable } from '../error.ts'
import { nearestLevel, type Thinking } from '../model.ts'
import type { ThinkingLevel } from '../provider.ts'

export interface ThinkingConfig {
  readonly includeThoughts: boolean
  /** Tokens; 0 is none. */
  readonly thinkingBudget?: number
  readonly thinkingLevel?: ThinkingLevel
}

const budgets: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_000,
}

/** How much a model shall think, in its own terms; `undefined` where there is nothing to say. */
export function thinkingConfig(
  level: ThinkingLevel | undefined,
  thinking: Thinking | undefined,
): ThinkingConfig | undefined {
  if (level === undefined || thinking === undefined) return undefined
  const includeThoughts = level !== 'off'
  switch (thinking.type) {
    case 'none':
    case 'fixed':
      return undefined
    case 'effort': {
      const thinkingLevel = nearestLevel(level, thinking.levels)
      if (thinkingLevel === undefined) return undefined
      return thinkingLevel === 'off' ? none : { includeThoughts, thinkingLevel }
    }
    case 'budget': {
      if (level === 'off' && thinking.optional) return none
      const thinkingBudget = Math.min(Math.max(budgets[level], thinking.min), thinking.max)
      return { includeThoughts, thinkingBudget }
    }
    default:
      return unreachable(thinking)
  }
}

const none: ThinkingConfig = { includeThoughts: false, thinkingBudget: 0 }
