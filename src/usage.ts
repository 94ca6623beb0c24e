import type { JsonValue } from './json-value.ts'

/** Reasons for a reply's end. `unknown` covers new ones; the server's word is kept beside it. */
export const stopReasons = [
  'end_turn',
  'length',
  'tool_use',
  'refusal',
  'error',
  'aborted',
  'unknown',
] as const

export type StopReason = (typeof stopReasons)[number]

/** Token counts with the same meaning for all providers. Total = input + output. */
export interface Usage {
  /** The whole prompt, including cache reads and writes. */
  readonly inputTokens: number
  /** All output, including reasoning. */
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
  /** The server's usage object, unchanged. */
  readonly raw?: JsonValue
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/** Counts all tokens of a usage. */
export function totalTokens({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens
}

/** Adds two usages, without `raw`. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...sum('cacheReadTokens', a, b),
    ...sum('cacheWriteTokens', a, b),
    ...sum('reasoningTokens', a, b),
  }
}

type Part = 'cacheReadTokens' | 'cacheWriteTokens' | 'reasoningTokens'

function sum(key: Part, a: Usage, b: Usage): Partial<Record<Part, number>> {
  return a[key] === undefined && b[key] === undefined ? {} : { [key]: (a[key] ?? 0) + (b[key] ?? 0) }
}
