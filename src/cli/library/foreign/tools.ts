import type { Clock } from '../../../clock.ts'
import { isPipeError, PipeError, throwIfAborted } from '../../../error.ts'
import type { InteractionResponse } from '../../../interaction.ts'
import { errorResult, type Tool, type ToolExecutor, type ToolOutput, type ToolResult } from '../../../tool.ts'
import { faultOf } from '../shape.ts'
import { BoundedWait } from './bounded-wait.ts'
import { failureOf, reasonOf } from './failure.ts'
import { toolOutputShape, toolResultShape, toolShape } from './shapes.ts'

/**
 * Wraps a foreign executor, so that a tool that throws or yields something else than its type says fails its own call only, and the
 * model learns why. Throws `usage` for a tool that cannot be given to a model.
 */
export function containTools(executor: ToolExecutor, clock: Clock): ToolExecutor {
  for (const tool of listTools(executor)) requireTool(tool)
  return {
    tools: () => listTools(executor).map(containTool),
    async *execute(name, args, context) {
      const limit = new BoundedWait(context.signal, clock, `the tool ${name}`)
      try {
        const run = executor.execute(name, args, context)
        if (typeof run?.next !== 'function') throw new Error('execute is not an async generator')
        return yield* contain(run, limit)
      } catch (error) {
        throwIfAborted(context.signal)
        if (isPipeError(error)) throw error
        return errorResult(`The tool ${name} failed: ${reasonOf(error)}`)
      } finally {
        limit.end()
      }
    },
  }
}

type Run = ReturnType<ToolExecutor['execute']>

async function* contain(run: Run, limit: BoundedWait): Run {
  let answer: InteractionResponse | undefined
  try {
    for (;;) {
      const step = await limit.wait(run.next(answer))
      if (step.done === true) return requireResult(step.value)
      answer = yield requireOutput(step.value)
    }
  } finally {
    // Nobody reads a failure of a call that was left.
    await Promise.allSettled([limit.wait(run.return(errorResult('interrupted')))])
  }
}

function listTools(executor: ToolExecutor): readonly Tool[] {
  try {
    return executor.tools()
  } catch (error) {
    throw failureOf(error, 'tool', 'the list of your tools')
  }
}

function requireTool(tool: Tool): void {
  const fault = faultOf(toolShape, tool)
  if (fault !== undefined) throw new PipeError('usage', `the tool ${String(tool?.name)}: ${fault}`)
}

function requireResult(result: ToolResult): ToolResult {
  const fault = faultOf(toolResultShape, result)
  if (fault !== undefined) throw new Error(`it returned no result such as textResult("…"): ${fault}`)
  return result
}

function requireOutput(output: ToolOutput): ToolOutput {
  const fault = faultOf(toolOutputShape, output)
  if (fault !== undefined) throw new Error(`it yielded something that is no output: ${fault}`)
  return output
}

/** Replaces answers that fail: the call changes something, watches nothing and has no preview. */
function containTool(tool: Tool): Tool {
  return {
    ...tool,
    readOnly: (args) => isTrue(() => tool.readOnly(args)),
    looksOn: (args) => isTrue(() => tool.looksOn?.(args)),
    preview: async (args, context) => {
      try {
        return await tool.preview?.(args, context)
      } catch {
        throwIfAborted(context.signal)
        return undefined
      }
    },
  }
}

function isTrue(ask: () => boolean | undefined): boolean {
  try {
    return ask() === true
  } catch {
    return false
  }
}
