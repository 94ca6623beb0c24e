import { type Candidate, type Limits, type ModelChoice, modelName, type Routing } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import type { AssistantMessage } from '../../message.ts'
import type { ModelInfo } from '../../model.ts'
import { totalTokens } from '../../usage.ts'
import { decimal, type Meter } from './meter.ts'

/** Reply length in tokens that all models support. */
export const safeReplyTokens = 4_096

/** Throws `budget` if nothing is left to spend. `details` hold the limit, the amount spent and the amount allowed. */
export function requireBudget({ maxCostUsd, maxTokens }: Limits, spent: Meter): void {
  const cost = spent.costUsd ?? 0
  if (maxCostUsd !== undefined && cost >= maxCostUsd) {
    throw spentError('cost', cost, maxCostUsd, `spent $${decimal(cost)} of $${decimal(maxCostUsd)}`)
  }
  const tokens = totalTokens(spent.usage)
  if (maxTokens !== undefined && tokens >= maxTokens) {
    throw spentError('tokens', tokens, maxTokens, `spent ${tokens} of ${maxTokens} tokens`)
  }
}

/** Throws `config` if the cost is limited but the model's price is unknown. */
export function requirePrice(limits: Limits, choice: ModelChoice): void {
  if (isPriced(limits, choice.info)) return
  throw unpriced(modelName(choice))
}

/** Returns the same routing, but opening a candidate throws `config` if its price is needed and unknown. */
export function withinCost(routing: Routing, limits: Limits): Routing {
  const judge = (candidate: Candidate): Candidate =>
    isPriced(limits, candidate.info)
      ? candidate
      : { ...candidate, open: () => Promise.reject(unpriced(candidate.name)) }
  return {
    ...routing,
    candidates: routing.candidates.map(judge),
    fallback: routing.fallback.map(judge),
    summary: routing.summary?.map(judge),
  }
}

function isPriced({ maxCostUsd }: Limits, info: ModelInfo | undefined): boolean {
  return maxCostUsd === undefined || info?.price !== undefined
}

function unpriced(name: string): PipeError {
  const setting = JSON.stringify({ models: { [name]: { price: { input: 3, output: 15 } } } })
  return new PipeError(
    'config',
    `a cost limit needs the price of ${name}, which is not known; set it in config.json, in US dollars per million tokens, ` +
      `for example: ${setting}`,
    { details: { field: `models.${name}.price` } },
  )
}

/** Returns the error of a turn or run that reached its time limit, in milliseconds. */
export function outOfTime(allowed: number, spent: number): PipeError {
  return spentError('time', Math.round(spent), allowed, `${decimal(allowed / 1000)} s have passed`)
}

function spentError(limit: string, spent: number, allowed: number, reason: string): PipeError {
  return new PipeError(
    'budget',
    `stopped at the ${limit === 'tokens' ? 'token' : limit} limit: ${reason}; raise the limit to continue`,
    {
      details: { limit, spent: decimal(spent), allowed: decimal(allowed) },
    },
  )
}

/**
 * Returns the token limit of the next reply: its own limit, or the rest of the budget if that is less than the model can reply
 * with. `undefined` leaves it to the model.
 */
export function replyLimit(
  own: number | undefined,
  { maxTokens }: Limits,
  spent: Meter,
  info: ModelInfo | undefined,
): number | undefined {
  if (maxTokens === undefined) return own
  // The server would refuse more than the model can reply with.
  const most = own ?? info?.maxOutput ?? safeReplyTokens
  const left = Math.max(1, maxTokens - totalTokens(spent.usage))
  return left < most ? left : own
}

/** Limits on one reply besides the budget. */
export interface ReplyBounds {
  /** The requested limit. */
  readonly own: number | undefined
  readonly info: ModelInfo | undefined
}

/** Returns the error if the budget cut the reply short; `undefined` if it ended for another reason. */
export function cutByBudget(
  { stopReason, usage }: AssistantMessage,
  { own, info }: ReplyBounds,
  { maxTokens }: Limits,
  spent: Meter,
): PipeError | undefined {
  if (stopReason !== 'length' || maxTokens === undefined) return undefined
  const tokens = totalTokens(spent.usage)
  const allowed = maxTokens - tokens + totalTokens(usage)
  if (allowed >= (own ?? info?.maxOutput ?? safeReplyTokens)) return undefined
  // A reply far shorter than the budget allowed hit a limit of the server. Some servers count no tokens.
  if (usage.outputTokens > 0 && usage.outputTokens < allowed * 0.9) return undefined
  return new PipeError(
    'budget',
    `the answer was cut at the token limit: spent ${tokens} of ${maxTokens} tokens; raise --max-tokens to get all of it`,
    { details: { limit: 'tokens', spent: decimal(tokens), allowed: decimal(maxTokens) } },
  )
}
