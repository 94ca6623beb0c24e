import type { JsonValue } from '../json-value.ts'
import { type ToolExecutor, type ToolOutput, type ToolResult, withOutput } from '../tool.ts'

/** A folder, and the one that takes its place. Both absolute. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** Wraps an executor that works in a moved folder, so that calls and results name the folder where it was. */
export function relocated(executor: ToolExecutor, { from, to }: Move): ToolExecutor {
  const there = mapping({ from, to })
  const back = mapping({ from: to, to: from })
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const run = executor.execute(name, mapStrings(args, there), context)
      return resultThrough(yield* withOutput(run, (output) => outputThrough(output, back)), back)
    },
  }
}

/** Returns a function that replaces a folder in a text, but no longer name that begins with it. */
export function mapping({ from, to }: Move): (text: string) => string {
  const name = from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`(?<![\\w.-])${name}(?![\\w-]|\\.\\w)`, 'g')
  return (text) => text.replace(pattern, () => to)
}

/** Maps every string in a value, but no key. */
function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((entry) => mapStrings(entry, map))
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapStrings(entry, map)]))
}

function resultThrough(result: ToolResult, map: (text: string) => string): ToolResult {
  const { content, details } = result
  return {
    ...result,
    content: content.map((block) => (block.type === 'text' ? { ...block, text: map(block.text) } : block)),
    ...(details === undefined ? {} : { details: mapStrings(details, map) }),
  }
}

function outputThrough(output: ToolOutput, map: (text: string) => string): ToolOutput {
  return output.type === 'output' ? { ...output, chunk: map(output.chunk) } : output
}
