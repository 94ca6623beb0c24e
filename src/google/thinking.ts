import { unreachable } from '../error.ts'
import { nearestLevel, type Thinking, thinkingBudget } from '../model.ts'
import type { ThinkingLevel } from '../provider.ts'

export interface ThinkingConfig {
  readonly includeThoughts: boolean
  /** Tokens; 0 is none. */
  readonly thinkingBudget?: number
  readonly thinkingLevel?: ThinkingLevel
}

/** Converts a thinking level to the model's own terms; `undefined` to leave it to the server. */
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
      return { includeThoughts, thinkingBudget: thinkingBudget(level, thinking) }
    }
    default:
      return unreachable(thinking)
  }
}

const none: ThinkingConfig = { includeThoughts: false, thinkingBudget: 0 }
