import type { OutputConfig, ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages/messages'
import { unreachable } from '../error.ts'
import { nearestLevel, thinkingBudget } from '../model.ts'
import type { ThinkingLevel } from '../provider.ts'
import { isThought, type WireMessage } from './messages.ts'
import type { ModelTraits } from './models.ts'

/** Minimum tokens of a budget that the server accepts, and of the answer. */
const minTokens = 1024

export interface ThinkingFields {
  readonly max_tokens: number
  readonly thinking?: ThinkingConfigParam
  readonly output_config?: OutputConfig
}

/**
 * Returns the reply limit and the thinking within it. Our default limit grows by the budget, up to the model's limit; a given
 * limit cuts the budget. Leaves out thinking that does not fit.
 */
export function thinkingFields(
  level: ThinkingLevel | undefined,
  maxTokens: number | undefined,
  traits: ModelTraits,
  messages: readonly WireMessage[],
): ThinkingFields {
  const { thinking, maxOutput = Number.POSITIVE_INFINITY } = traits
  const limit = (budget: number) => maxTokens ?? Math.min(traits.maxTokens + budget, maxOutput)
  const nearest =
    thinking.type === 'effort' && level !== undefined ? nearestLevel(level, thinking.levels) : level
  if (nearest === undefined || nearest === 'off') return { max_tokens: limit(0) }
  switch (thinking.type) {
    case 'none':
    case 'fixed':
      return { max_tokens: limit(0) }
    case 'effort': {
      const adaptive = { type: 'adaptive', display: 'summarized' } as const
      const effort = nearest === 'minimal' ? 'low' : nearest
      return { max_tokens: limit(thinkingBudget(nearest)), thinking: adaptive, output_config: { effort } }
    }
    case 'budget': {
      const wanted = thinkingBudget(nearest, thinking)
      const max_tokens = limit(wanted)
      const budget_tokens = Math.min(wanted, max_tokens - minTokens)
      return budget_tokens < minTokens || !mayThink(messages)
        ? { max_tokens }
        : { max_tokens, thinking: { type: 'enabled', budget_tokens } }
    }
    default:
      return unreachable(thinking)
  }
}

/** Whether thinking is allowed: not if another model made the turn's first calls, because no thoughts of ours precede them. */
function mayThink(messages: readonly WireMessage[]): boolean {
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && content.some((block) => block.type !== 'tool_result'),
  )
  const first = messages[asked + 1]
  return first === undefined || isThought(first.content[0])
}
