import type { JsonObject } from '../json-value.ts'
import { addUsage, noUsage, type Usage } from '../usage.ts'

interface Spent {
  usage: Usage
  costUsd: number
}

/** Sums up what each model of a conversation was used for, its elves included. */
export class SpendingByModel {
  readonly #models = new Map<string, Spent>()

  add(model: string, usage: Usage, costUsd = 0): void {
    const before = this.#models.get(model) ?? { usage: noUsage, costUsd: 0 }
    this.#models.set(model, { usage: addUsage(before.usage, usage), costUsd: before.costUsd + costUsd })
  }

  /** US dollars, counting known prices only. */
  get costUsd(): number {
    return [...this.#models.values()].reduce((sum, { costUsd }) => sum + costUsd, 0)
  }

  /** The totals under Claude's names. `windowOf` returns the size of a context, if it is known. */
  toJson(windowOf: (model: string) => number | undefined): JsonObject {
    return Object.fromEntries(
      [...this.#models].map(([model, { usage, costUsd }]) => {
        const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
        return [
          model,
          {
            inputTokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
            outputTokens,
            cacheReadInputTokens: cacheReadTokens,
            cacheCreationInputTokens: cacheWriteTokens,
            webSearchRequests: 0,
            costUSD: costUsd,
            contextWindow: windowOf(model) ?? 0,
            maxOutputTokens: 0,
          },
        ]
      }),
    )
  }
}
