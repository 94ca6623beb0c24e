import type { Limits, ModelChoice, Routing } from '../../engine.ts'
import type { PipeError } from '../../error.ts'
import type { AssistantMessage } from '../../message.ts'
import type { ModelInfo } from '../../model.ts'
import type { Usage } from '../../usage.ts'
import { type Counter, Meter } from './meter.ts'
import {
  cutByBudget,
  type ReplyBounds,
  replyLimit,
  requireBudget,
  requirePrice,
  withinCost,
} from './run-limits.ts'

/** Counts what a conversation spends, and bounds it. */
export interface SessionSpending {
  /** Counts the whole session, with its earlier runs. */
  readonly total: Meter
  /** Since the conversation was opened. Conversations of its elves spend from it. */
  readonly budget: Budget
}

/** Tells where the count of a conversation begins, and which other budget it spends from. Default: at nothing, none. */
export interface SpentBefore {
  readonly usage?: Usage | undefined
  readonly costUsd?: number | undefined
  readonly whole?: Budget | undefined
}

/** Opens the books of a conversation. */
export function openSpending(limits: Limits, { usage, costUsd, whole }: SpentBefore = {}): SessionSpending {
  const total = new Meter(usage, costUsd, whole)
  return { total, budget: new Budget(limits, { spent: total.part(), whole }) }
}

/** Limits on the tokens and the cost of several requests, together with what was spent. It may be a part of another budget. */
export class Budget implements Counter {
  readonly spent: Meter
  readonly #limits: Limits
  readonly #whole: Budget | undefined
  #turn: Meter | undefined

  /** `spent`: counts from zero. Default: a new meter, a part of the whole. */
  constructor(
    limits: Limits,
    { whole, spent }: { readonly whole?: Budget | undefined; readonly spent?: Meter } = {},
  ) {
    this.#limits = limits
    this.#whole = whole
    this.spent = spent ?? new Meter(undefined, undefined, whole)
  }

  /** Returns the meter of a turn that begins. Its elves count there too, also those that an earlier turn started. */
  beginTurn(): Meter {
    this.#turn = this.spent.part()
    return this.#turn
  }

  count(usage: Usage, costUsd: number | undefined): void {
    const meter = this.#turn ?? this.spent
    meter.count(usage, costUsd)
  }

  /** Throws `budget` if nothing is left, and `config` if the cost is limited and the model's price unknown. */
  requireLeft(choice: ModelChoice): void {
    for (const { limits, spent } of this.#all()) {
      requireBudget(limits, spent)
      requirePrice(limits, choice)
    }
  }

  /** Returns the token limit of the next reply: its own, or less if less is left. `undefined` leaves it to the model. */
  replyLimit(own: number | undefined, info: ModelInfo | undefined): number | undefined {
    return this.#all().reduce<number | undefined>(
      (most, { limits, spent }) => replyLimit(most, limits, spent, info),
      own,
    )
  }

  /** Returns the error if the budget cut a reply short. */
  cut(reply: AssistantMessage, bounds: ReplyBounds): PipeError | undefined {
    for (const { limits, spent } of this.#all()) {
      const error = cutByBudget(reply, bounds, limits, spent)
      if (error !== undefined) return error
    }
    return undefined
  }

  /** Returns the same routing without the models whose price is needed and unknown. */
  restrict(routing: Routing): Routing {
    return this.#all().reduce((left, { limits }) => withinCost(left, limits), routing)
  }

  #all(): readonly { readonly limits: Limits; readonly spent: Meter }[] {
    const own = { limits: this.#limits, spent: this.spent }
    return this.#whole === undefined ? [own] : [own, ...this.#whole.#all()]
  }
}
