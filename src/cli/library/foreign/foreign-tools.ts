import type { Clock } from '../../../clock.ts'
import { errorText, isPipeError, PipeError, throwIfAborted } from '../../../error.ts'
import type { InteractionResponse } from '../../../interaction.ts'
import { errorResult, type Tool, type ToolExecutor, type ToolResult } from '../../../tool.ts'
import { BoundedWait } from './bounded-wait.ts'
import { foreignFailure } from './foreign-failure.ts'

/**
 * Wraps a foreign executor, so that a tool that throws, or ignores its signal, fails its own call only, and the model learns why.
 * Throws `usage` for a tool whose name some models refuse.
 */
export function containTools(executor: ToolExecutor, clock: Clock): ToolExecutor {
  for (const tool of listTools(executor)) requireName(tool)
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
  let answer: InteractionResponse | undefined
  try {
    for (;;) {
      const step = await limit.wait(run.next(answer))
      if (step.done === true) return requireContent(step.value)
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

/** Names that the strictest server takes. */
const toolName = /^[A-Za-z0-9_-]{1,64}$/

function requireName({ name }: Tool): void {
  if (toolName.test(name)) return
  throw new PipeError('usage', `the tool ${name}: its name must be letters, digits, _ and -, at most 64`)
}

/** Models take no result without content. */
function requireContent(result: ToolResult): ToolResult {
  if (result.content.length > 0) return result
  throw new Error('it returned a result without content')
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
