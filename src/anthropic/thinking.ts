import type { OutputConfig, ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages/messages'
import type { ThinkingLevel } from '../provider.ts'
import { isThought, type WireMessage } from './messages.ts'
import type { ModelTraits } from './models.ts'

interface Depth {
  /** Tokens. */
  readonly budget: number
  readonly effort: NonNullable<OutputConfig['effort']>
}

const depths: Readonly<Record<Exclude<ThinkingLevel, 'off'>, Depth>> = {
  minimal: { budget: 1024, effort: 'low' },
  low: { budget: 2048, effort: 'low' },
  medium: { budget: 8192, effort: 'medium' },
  high: { budget: 16_384, effort: 'high' },
  xhigh: { budget: 32_000, effort: 'xhigh' },
}

/** The least budget that the server takes, and the least that is left for the answer. */
const least = 1024

export interface Thinking {
  readonly max_tokens: number
  readonly thinking?: ThinkingConfigParam
  readonly output_config?: OutputConfig
}

/**
 * The limit on the reply and the thinking in it, which counts against the limit: a limit of our own grows by the budget, one that
 * was given cuts it. No thinking where it would not fit.
 */
export function thinkingFields(
  level: ThinkingLevel | undefined,
  maxTokens: number | undefined,
  traits: ModelTraits,
  messages: readonly WireMessage[],
): Thinking {
  if (level === undefined || level === 'off') return { max_tokens: maxTokens ?? traits.maxTokens }
  const { budget, effort } = depths[level]
  const max_tokens = maxTokens ?? traits.maxTokens + budget
  if (traits.thinking === 'effort')
    return { max_tokens, thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } }
  const budget_tokens = Math.min(budget, max_tokens - least)
  return budget_tokens < least || !mayThink(messages)
    ? { max_tokens }
    : { max_tokens, thinking: { type: 'enabled', budget_tokens } }
}

/** A turn that another model began to act in, without thoughts of ours before its first calls, has to go on without them. */
function mayThink(messages: readonly WireMessage[]): boolean {
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && content.some((block) => block.type !== 'tool_result'),
  )
  const first = messages[asked + 1]
  return first === undefined || isThought(first.content[0])
}
