import type { Capability } from '../../../actor.ts'
import { errorText, throwIfAborted } from '../../../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import {
  errorResult,
  type ToolContext,
  type ToolExecutor,
  type ToolResult,
  textResult,
} from '../../../tool.ts'

export interface MockToolOptions {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  /** The result of each call, or what makes it. What it throws becomes an error result. */
  readonly result:
    | string
    | ToolResult
    | ((args: JsonObject, context: ToolContext) => string | ToolResult | Promise<string | ToolResult>)
  readonly description?: string
  /** JSON Schema of an object. Default: any object. */
  readonly parameters?: JsonObject
  /** Whether calls change nothing, so that they run side by side. Default: true. */
  readonly readOnly?: boolean
  /** Default: `tool_run_command`. */
  readonly capability?: Capability
}

/** An executor of one tool that does nothing but what it is told. */
export interface MockTool extends ToolExecutor {
  /** The arguments of all calls so far. */
  readonly calls: readonly JsonValue[]
}

/** Makes a tool for tests: `tools: mockTool({ name: 'clock', result: 'noon' })`. `combine` joins several. */
export function mockTool({
  name,
  result,
  description = `The tool ${name} of a test.`,
  parameters = { type: 'object' },
  readOnly = true,
  capability = 'tool_run_command',
}: MockToolOptions): MockTool {
  const calls: JsonValue[] = []
  const tool = { name, description, parameters, capability, readOnly: () => readOnly }
  return {
    calls,
    tools: () => [tool],
    // biome-ignore lint/correctness/useYield: a tool without output
    async *execute(called, args, context) {
      throwIfAborted(context.signal)
      if (called !== name) return errorResult(`there is no tool ${called}`)
      if (!isJsonObject(args)) return errorResult(`${name} takes an object`)
      calls.push(args)
      try {
        const given = typeof result === 'function' ? await result(args, context) : result
        return typeof given === 'string' ? textResult(given) : given
      } catch (error) {
        throwIfAborted(context.signal)
        return errorResult(errorText(error))
      }
    },
  }
}
