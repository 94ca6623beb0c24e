import { type AssistantMessage, isLoopMessage, type Message } from '../../message.ts'
import { addUsage, noUsage, type Usage } from '../../usage.ts'
import { counted, formatCount, formatUsd } from '../words/amount.ts'
import { alignedRows } from '../words/text-table.ts'

/** Tokens and dollars of one model, or of one elf. */
export interface Spent {
  readonly name: string
  /** Absent if it is not known, as for elves. */
  readonly usage?: Usage
  /** All tokens, where only their sum is known. */
  readonly tokens?: number
  readonly requests?: number
  /** US dollars. `undefined` if no price is known. */
  readonly costUsd: number | undefined
}

/** The spending of a conversation. */
export interface Spending {
  /** Of its own requests, by model, in order of their first one. */
  readonly models: readonly Spent[]
  readonly elves: readonly Spent[]
  /** Of its own requests, failed ones and summaries included. */
  readonly own: Pick<Spent, 'usage' | 'costUsd'>
}

/** A table: cells of a row, the first one at the left, numbers at the right. */
export interface CostTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly total: readonly string[]
}

/** Sums up the replies of a conversation by model. */
export function spentByModel(messages: readonly Message[]): readonly Spent[] {
  const models = new Map<string, { usage: Usage; requests: number; costUsd: number | undefined }>()
  for (const message of messages) {
    if (message.type !== 'assistant' || isLoopMessage(message)) continue
    const name = [message.provider, message.model].filter(Boolean).join('/') || 'unknown'
    const before = models.get(name) ?? { usage: noUsage, requests: 0, costUsd: undefined }
    models.set(name, {
      usage: addUsage(before.usage, message.usage),
      requests: before.requests + 1,
      costUsd: plus(before.costUsd, costOf(message)),
    })
  }
  return Array.from(models, ([name, spent]) => ({ name, ...spent }))
}

/** Lays out what was spent. What the replies do not explain has a row of its own. */
export function costTable({ models, elves, own }: Spending): CostTable {
  const explained = models.reduce((sum, { usage }) => addUsage(sum, usage ?? noUsage), noUsage)
  const inputTokens = (own.usage?.inputTokens ?? 0) - explained.inputTokens
  const outputTokens = (own.usage?.outputTokens ?? 0) - explained.outputTokens
  const known = models.reduce<number | undefined>((sum, { costUsd }) => plus(sum, costUsd), undefined)
  const restUsd = own.costUsd === undefined ? undefined : own.costUsd - (known ?? 0)
  const hasRest = inputTokens > 0 || outputTokens > 0
  const rest: Spent = {
    name: 'summaries, failed attempts',
    usage: { inputTokens: Math.max(0, inputTokens), outputTokens: Math.max(0, outputTokens) },
    costUsd: restUsd !== undefined && restUsd > 0.000_05 ? restUsd : undefined,
  }
  const all = [...models, ...(hasRest ? [rest] : []), ...elves]
  const usage = all.reduce((sum, one) => addUsage(sum, one.usage ?? noUsage), noUsage)
  const elfTokens = elves.reduce((sum, { tokens = 0 }) => sum + tokens, 0)
  const costUsd = all.reduce<number | undefined>((sum, one) => plus(sum, one.costUsd), undefined)
  const requests = models.reduce((sum, one) => sum + (one.requests ?? 0), 0)
  const total = cells({ name: 'total', usage, requests, costUsd })
  return {
    head: ['', 'requests', 'input', 'cached', 'output', 'cost'],
    rows: all.map(cells),
    total:
      elfTokens === 0
        ? total
        : total.with(
            0,
            `total, and ${counted(elves.length, 'elf').replace('elfs', 'elves')} with ${formatCount(elfTokens)} tokens`,
          ),
  }
}

/** Formats the table as text with aligned columns. */
export function costReport(spending: Spending): string {
  const { head, rows, total } = costTable(spending)
  return alignedRows([head, ...rows, total], (cell, width, column) =>
    column === 0 ? cell.padEnd(width) : cell.padStart(width),
  )
}

function cells({ name, usage, tokens, requests, costUsd }: Spent): readonly string[] {
  const cached = usage?.cacheReadTokens
  return [
    name,
    requests === undefined ? '' : String(requests),
    usage === undefined ? '' : formatCount(usage.inputTokens),
    cached === undefined ? '' : formatCount(cached),
    usage === undefined ? (tokens === undefined ? '' : formatCount(tokens)) : formatCount(usage.outputTokens),
    costUsd === undefined ? '–' : formatUsd(costUsd),
  ]
}

function costOf({ metadata }: AssistantMessage): number | undefined {
  const cost = Number(metadata?.['cost_usd'] ?? Number.NaN)
  return Number.isFinite(cost) ? cost : undefined
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
}
