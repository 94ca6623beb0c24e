import type { Clock } from '../../../clock.ts'
import { errorText, isPipeError, throwIfAborted } from '../../../error.ts'
import type { InteractionResponse } from '../../../interaction.ts'
import { errorResult, type Tool, type ToolExecutor } from '../../../tool.ts'
import { BoundedWait } from './bounded-wait.ts'
import { foreignFailure } from './foreign-failure.ts'
import { requireResult, requireTools } from './tool-shape.ts'

/**
 * Wraps a foreign executor, so that a tool that throws, or ignores its signal, fails its own call only, and the model learns why.
 * Throws `usage` for a tool that some models refuse.
 */
export function containTools(executor: ToolExecutor, clock: Clock): ToolExecutor {
  requireTools(listTools(executor))
  return {
    tools: () => listTools(executor).map(containTool),
    async *execute(name, args, context) {
      const limit = new BoundedWait(context.signal, clock, `the tool ${name}`)
      try {
        return yield* contain(executor.execute(name, args, context), limit)
      } catch (error) {
        throwIfAborted(context.signal)
        if (isPipeError(error)) throw error
        return errorResult(`The tool ${name} failed: ${errorText(error)}`)
      } finally {
        limit.end()
      }
    },
  }
}

type Run = ReturnType<ToolExecutor['execute']>

async function* contain(run: Run, limit: BoundedWait): Run {
  if (typeof run?.return !== 'function') throw new Error('its `execute` must be an async generator function')
  let answer: InteractionResponse | undefined
  try {
    for (;;) {
      const step = await limit.wait(run.next(answer))
      if (step.done === true) return requireResult(step.value)
      answer = yield step.value
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
    throw foreignFailure(error, 'tool', 'the list of your tools')
  }
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
