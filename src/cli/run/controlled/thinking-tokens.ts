import { thinkingBudget, thinkingLevels } from '../../../model.ts'
import type { ThinkingLevel } from '../../../provider.ts'

/** Returns the most thinking that a number of tokens allows. */
export function levelOfTokens(tokens: number): ThinkingLevel {
  return (
    thinkingLevels.findLast((level) => level !== 'off' && thinkingBudget(level) <= tokens) ??
    (tokens > 0 ? 'minimal' : 'off')
  )
}
