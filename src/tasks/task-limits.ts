import type { Engine, Limits } from '../engine.ts'
import { PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import { totalTokens } from '../usage.ts'

/** Counts what all attempts at a task have spent, and ends the turn that would exceed its limits. */
export class TaskLimits {
  readonly #limits: Limits
  readonly #engine: Pick<Engine, 'usage' | 'costUsd'>
  #rounds: number

  constructor(limits: Limits, engine: Pick<Engine, 'usage' | 'costUsd' | 'history'>) {
    this.#limits = limits
    this.#engine = engine
    this.#rounds = engine.history.filter(({ type }) => type === 'assistant').length
  }

  /** Throws `budget` or `turn_limit` if another round would exceed a limit. */
  see(event: AgentEvent): void {
    if (event.type !== 'round_start') return
    const { maxRounds = Infinity, maxTokens = Infinity, maxCostUsd = Infinity } = this.#limits
    if (this.#rounds >= maxRounds)
      throw new PipeError('turn_limit', `stopped after ${maxRounds} rounds of all attempts, the turn limit`)
    this.#rounds++
    const { usage, costUsd = 0 } = this.#engine
    const tokens = totalTokens(usage)
    if (tokens >= maxTokens) throw spent(`${tokens} of ${maxTokens} tokens`)
    if (costUsd >= maxCostUsd) throw spent(`$${costUsd.toFixed(4)} of $${maxCostUsd}`)
  }
}

function spent(what: string): PipeError {
  return new PipeError('budget', `stopped at a limit of the task: all attempts have spent ${what}`)
}

/** Returns what is left of the limits of a task for an attempt. Throws `budget` if no time is left. */
export function limitsLeft(
  { maxTimeMs, maxCostUsd, ...limits }: Limits,
  { spentMs, budgetUsd }: { readonly spentMs: number; readonly budgetUsd: number | undefined },
): Limits {
  if (maxTimeMs !== undefined && spentMs >= maxTimeMs)
    throw new PipeError('budget', `stopped at the time limit of the task: its attempts took all of it`)
  const costUsd = Math.min(maxCostUsd ?? Infinity, budgetUsd ?? Infinity)
  return {
    ...limits,
    ...(maxTimeMs === undefined ? {} : { maxTimeMs: maxTimeMs - spentMs }),
    ...(costUsd === Infinity ? {} : { maxCostUsd: costUsd }),
  }
}
