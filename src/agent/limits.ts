import type { Limits } from '../engine.ts'
import { PipeError } from '../error.ts'
import type { ModelInfo } from '../model.ts'
import { decimal, type Meter } from './meter.ts'

/** Tokens that every model can reply with. */
export const modestReply = 4_096

/** Throws `budget` where nothing is left to spend; `details` say which limit, how much was spent, and how much was allowed. */
export function requireBudget({ maxCostUsd, maxTokens }: Limits, spent: Meter): void {
  const cost = spent.costUsd ?? 0
  if (maxCostUsd !== undefined && cost >= maxCostUsd) {
    throw spentError('cost', cost, maxCostUsd, `$${decimal(cost)} of $${decimal(maxCostUsd)} are spent`)
  }
  const tokens = tokensOf(spent)
  if (maxTokens !== undefined && tokens >= maxTokens) {
    throw spentError('tokens', tokens, maxTokens, `${tokens} of ${maxTokens} tokens are spent`)
  }
}

/** The error of a turn that took as long as it may, in milliseconds. */
export function outOfTime(allowed: number, spent: number): PipeError {
  return spentError('time', Math.round(spent), allowed, `a turn may take ${decimal(allowed / 1000)} s`)
}

function spentError(limit: string, spent: number, allowed: number, reason: string): PipeError {
  return new PipeError('budget', `stopped at the ${limit} limit: ${reason}; raise it to go on`, {
    details: { limit, spent: decimal(spent), allowed: decimal(allowed) },
  })
}

/**
 * How long the next reply may be, in tokens: the limit of its own, and what the budget has left where that is less than the model
 * can say. `undefined` leaves it to the model.
 */
export function replyLimit(
  own: number | undefined,
  { maxTokens }: Limits,
  spent: Meter,
  info: ModelInfo | undefined,
): number | undefined {
  if (maxTokens === undefined) return own
  // More than the model can say would be refused by its server.
  const most = own ?? info?.maxOutput ?? modestReply
  const left = Math.max(1, maxTokens - tokensOf(spent))
  return left < most ? left : own
}

function tokensOf({ usage }: Meter): number {
  return usage.inputTokens + usage.outputTokens
}
